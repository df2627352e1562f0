import Glibc
import PosternSystemd

/// A datagram socket that nobody reads until it is asked.
final class SlowReader {
    let path: String
    private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

    init(path: String) {
        self.path = path
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        guard bound == 0 else { exit(2) }
    }

    /// All that is there.
    func read() -> [[UInt8]] {
        var datagrams: [[UInt8]] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count >= 0 {
            datagrams.append(Array(buffer.prefix(count)))
        }
        return datagrams
    }
}

/// Logs to a journal that nobody reads until it is full and for a while after, reads it all, and logs once more.
func fullJournal(_ path: String) {
    alarm(20)
    let reader = SlowReader(path: path)
    var status = stat()
    fstat(STDERR_FILENO, &status)
    setenv("JOURNAL_STREAM", "\(status.st_dev):\(status.st_ino)", 1)
    let journal = Journal(address: path)
    let count = 2000
    for number in 1...count {
        journal.write(LogEntry(priority: 6, message: "line \(number)", messageID: "10", fields: [("POSTERN_UID", "a\nb")]))
    }
    let received = reader.read()
    journal.write(LogEntry(priority: 5, message: "the end"))
    let head = Array("MESSAGE=line 1\nPRIORITY=6\nSYSLOG_IDENTIFIER=posternd\nMESSAGE_ID=10\nPOSTERN_UID\n".utf8)
    print(received.first == head + [3, 0, 0, 0, 0, 0, 0, 0] + Array("a\nb\n".utf8) ? "the entry" : "another entry")
    print((1..<count).contains(received.count) ? "lost some" : "lost \(count - received.count)")
    for datagram in reader.read() {
        print(String(decoding: datagram, as: UTF8.self).replacing(String(count - received.count), with: "N"), terminator: "")
    }
}

/// Notifies a manager that reads nothing, until it does; then what was to be done later is done.
func fullManager(_ path: String) {
    alarm(20)
    let reader = SlowReader(path: path)
    setenv("NOTIFY_SOCKET", path, 1)
    var later: [() -> Void] = []
    let notifier = ServiceNotifier { _, body in later.append(body) }
    var count = 0
    while later.isEmpty, count < 10_000 {
        count += 1
        notifier.status("\(count)")
    }
    notifier.reloading()
    notifier.status("reading")
    notifier.ready(status: "read")
    for _ in 0..<3 { notifier.watchdog() }
    notifier.stopping()
    let received = reader.read()
    print(received.count == count - 1 ? "waited with the rest" : "\(received.count) of \(count - 1)", later.count)
    let (bodies, none) = (later, reader.read().count)
    later = []
    for body in bodies { body() }
    print(none, later.count)
    for datagram in reader.read() { print(String(decoding: datagram, as: UTF8.self).replacing(/USEC=[0-9]+/, with: "USEC=N")) }
}
