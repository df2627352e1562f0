import Glibc
import Synchronization

/// A connected, non-blocking Unix socket; every wait has a deadline and can be cancelled from elsewhere.
final class ClientSocket: Sendable {
    private let descriptor: CInt
    private let isCancelled = Atomic<Bool>(false)

    /// - Parameter servers: the users that the service may run as.
    init(path: String, servers: [uid_t], deadline: Deadline?) throws(VarlinkClientError) {
        guard let address = UnixSocketAddress(path: path) else {
            if path.utf8.count > UnixSocketAddress.longestPath {
                throw .pathTooLong(path: path, limit: UnixSocketAddress.longestPath)
            }
            throw .cannotConnect(path: path, errno: ENOENT)
        }
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw .cannotConnect(path: path, errno: errno) }
        // If these throw, the object is already complete, and its deinit closes the descriptor.
        try connect(to: address, path: path, deadline: deadline)
        try checkServer(path: path, servers: servers)
    }

    deinit { Glibc.close(descriptor) }

    func withDescriptor<Result>(_ body: (CInt) -> Result) -> Result { body(descriptor) }

    /// Ends every wait, now and later. Only sets a flag and calls `shutdown`, so a signal handler may call it.
    func cancel() {
        isCancelled.store(true, ordering: .sequentiallyConsistent)
        shutdown(descriptor, CInt(SHUT_RDWR))
    }

    private func connect(to address: UnixSocketAddress, path: String, deadline: Deadline?) throws(VarlinkClientError) {
        while true {
            if address.withSockaddr({ Glibc.connect(descriptor, $0, $1) }) == 0 { return }
            switch errno {
            case EINTR: continue
            // The service's queue is full. There is no notification when it has room again (connect(2)), so try again soon.
            case EAGAIN:
                if let deadline, deadline.remainingMilliseconds == 0 { throw .timedOut }
                poll(nil, 0, min(10, deadline?.remainingMilliseconds ?? 10))
            default: throw .cannotConnect(path: path, errno: errno)
            }
        }
    }

    /// Before a byte is sent: anyone who can put a socket at the path would receive passwords, and be believed.
    private func checkServer(path: String, servers: [uid_t]) throws(VarlinkClientError) {
        guard let server = PeerCredentials(of: descriptor) else { throw .cannotConnect(path: path, errno: errno) }
        guard servers.contains(server.uid) else { throw .foreignServer(path: path, uid: server.uid) }
    }

    func send(_ bytes: [UInt8], deadline: Deadline?) throws(VarlinkClientError) {
        var sent = 0
        while sent < bytes.count {
            // Without MSG_NOSIGNAL a service that disconnects would end this process with SIGPIPE.
            var code: CInt = 0
            let count = bytes[sent...].withUnsafeBytes { rest in
                let count = Glibc.send(descriptor, rest.baseAddress, rest.count, CInt(MSG_NOSIGNAL))
                if count < 0 { code = errno }
                return count
            }
            if count > 0 {
                sent += count
            } else if code == EAGAIN {
                try wait(for: POLLOUT, deadline)
            } else if code != EINTR {
                throw failure()
            }
        }
    }

    /// Appends what has arrived, at least one byte.
    func receive(into buffer: inout [UInt8], deadline: Deadline?) throws(VarlinkClientError) {
        while true {
            var code: CInt = 0
            let count = withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 1) { chunk in
                let count = recv(descriptor, chunk.baseAddress, chunk.count, 0)
                if count > 0 { buffer.append(contentsOf: chunk[..<count]) } else { code = errno }
                return count
            }
            if count > 0 { return }
            if count == 0 { throw failure() }
            if code == EAGAIN {
                try wait(for: POLLIN, deadline)
            } else if code != EINTR {
                throw failure()
            }
        }
    }

    private func failure() -> VarlinkClientError {
        isCancelled.load(ordering: .sequentiallyConsistent) ? .cancelled : .connectionClosed
    }

    private func wait(for events: CInt, _ deadline: Deadline?) throws(VarlinkClientError) {
        var entry = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
        while true {
            let timeout = deadline?.remainingMilliseconds ?? -1
            let ready = poll(&entry, 1, timeout)
            if ready > 0 { return }
            if isCancelled.load(ordering: .sequentiallyConsistent) { throw .cancelled }
            // A signal may interrupt the wait; the deadline does not change.
            if ready == 0, timeout != CInt.max { throw .timedOut }
        }
    }
}

/// An instant of the monotonic clock.
struct Deadline {
    private let nanoseconds: Int64

    /// Nil for a wait without a limit. A timeout too long to represent counts as none.
    init?(after timeout: Duration?) {
        guard let timeout else { return nil }
        let (seconds, attoseconds) = timeout.components
        guard seconds < 1_000_000_000 else { return nil }
        nanoseconds = Self.now &+ max(seconds, 0) * 1_000_000_000 &+ max(attoseconds, 0) / 1_000_000_000
    }

    static func earlier(_ first: Deadline?, _ second: Deadline?) -> Deadline? {
        guard let first, let second else { return first ?? second }
        return first.nanoseconds < second.nanoseconds ? first : second
    }

    var hasPassed: Bool { nanoseconds <= Self.now }

    /// For `poll`: rounded up, so that a wait never ends before the deadline.
    var remainingMilliseconds: CInt {
        let remaining = max(0, nanoseconds - Self.now)
        return CInt(clamping: (remaining + 999_999) / 1_000_000)
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// The address of a Unix stream socket that has a path.
package struct UnixSocketAddress {
    /// Bytes of a path: `sun_path` holds 108, one of them the NUL at the end (unix(7)).
    package static let longestPath = 107

    private var address = sockaddr_un()

    /// Nil if the path is empty, too long, or contains a NUL.
    package init?(path: String) {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count <= Self.longestPath, !bytes.contains(0) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    package func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
