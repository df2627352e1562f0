import Glibc

/// A bare socket, to send what no client library would. Every wait ends in an error after a generous time, so that a
/// server that does not answer fails a test and does not hang it.
final class RawClient {
    enum Failure: Error, Equatable {
        case cannotConnect(CInt)
        case timedOut
        case ended(received: String)
        case failed(CInt)
    }

    static let patienceMilliseconds: CInt = 30_000

    let descriptor: CInt
    private var received: [UInt8] = []
    /// What has to live as long as the client: a server that goes with its last reference.
    private let server: AnyObject?

    init(path: String, server: AnyObject? = nil) throws {
        self.server = server
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard Self.connect(descriptor, to: path) else { throw Failure.cannotConnect(errno) }
    }

    deinit { close(descriptor) }

    /// A connection that the kernel holds for a server that is busy; nil if its queue has no room. The caller closes it.
    static func queue(at path: String) -> CInt? {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
        if connect(descriptor, to: path) { return descriptor }
        close(descriptor)
        return nil
    }

    private static func connect(_ descriptor: CInt, to path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Failure.failed(errno) }
            rest = rest.dropFirst(count)
        }
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Sends as much as the kernel takes without waiting.
    func sendWithoutWaiting(_ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { max(0, Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))) }
    }

    func shutdownSending() { shutdown(descriptor, CInt(SHUT_WR)) }

    /// The next message, with the byte that ended it.
    func receive(endedBy ending: UInt8 = 0) throws -> String {
        while true {
            if let end = received.firstIndex(of: ending) {
                defer { received.removeSubrange(...end) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            guard try receiveMore() else { throw Failure.ended(received: String(decoding: received, as: UTF8.self)) }
        }
    }

    /// Everything up to the end of the stream. A reset is an end too: the server may not have read all that was sent.
    func receiveAll() throws -> String {
        while try receiveMore() {}
        defer { received = [] }
        return String(decoding: received, as: UTF8.self)
    }

    /// Waits until the server has closed, without reading what it sent.
    func waitForHangUp() throws {
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        guard poll(&entry, 1, Self.patienceMilliseconds) > 0 else { throw Failure.timedOut }
    }

    /// Waits until there is something to receive, and leaves it there.
    func waitForBytes() throws {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, Self.patienceMilliseconds) > 0 else { throw Failure.timedOut }
    }

    private func receiveMore() throws -> Bool {
        try waitForBytes()
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count >= 0 || errno == ECONNRESET else { throw Failure.failed(errno) }
        received.append(contentsOf: chunk[..<max(0, count)])
        return count > 0
    }
}
