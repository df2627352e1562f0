import Glibc
import StrictJSON

/// A client's connection, with blocking calls: for commands, and for threads that have nothing else to do.
///
/// Calls are made by one thread at a time; ``cancel()`` may come from any.
public final class VarlinkConnection: @unchecked Sendable {
    // Unchecked: `descriptor` and `wake` never change after `init`; the rest is used by the one thread that calls.

    /// Far above any reply: a profile document of 1 MiB with escapes.
    public static let longestReply = 16 * 1024 * 1024

    private let descriptor: Int32
    /// A pipe; a byte in it ends a blocking wait.
    private let wake: (read: Int32, write: Int32)
    private var buffer: [UInt8] = []
    private var scanner = MessageScanner()

    /// - Parameter path: of the socket.
    public init(path: String) throws(VarlinkClientError) {
        let limit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        guard path.utf8.count <= limit else { throw .pathTooLong(path: path, limit: limit) }
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw .system("no socket can be made: \(Self.reason(errno))") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            let reason = Self.reason(errno)
            Glibc.close(socket)
            throw .cannotConnect(path: path, reason: reason)
        }
        var pipe: [Int32] = [-1, -1]
        guard Glibc.pipe(&pipe) == 0 else {
            let reason = Self.reason(errno)
            Glibc.close(socket)
            throw .system("no pipe can be made: \(reason)")
        }
        for end in pipe {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        descriptor = socket
        wake = (pipe[0], pipe[1])
    }

    deinit {
        Glibc.close(descriptor)
        Glibc.close(wake.read)
        Glibc.close(wake.write)
    }

    /// Ends the call that waits, and every later one, with ``VarlinkClientError/cancelled``. Safe in a signal handler.
    public func cancel() {
        var byte: UInt8 = 1
        _ = write(wake.write, &byte, 1)
    }

    /// Lets the service know at once that nobody waits any more; from any thread.
    public func close() {
        cancel()
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// One call, one reply.
    ///
    /// - Parameter timeoutMilliseconds: nil waits for ever.
    /// - Throws: ``VarlinkError`` that the service replied with; ``VarlinkClientError``.
    public func call(_ method: String, _ parameters: JSONObject = JSONObject(), timeoutMilliseconds: Int64? = nil) throws -> JSONObject {
        try send(VarlinkCall(method: method, parameters: parameters))
        return try receive(timeoutMilliseconds: timeoutMilliseconds).parameters
    }

    /// Sends a call; its replies are for ``receive(timeoutMilliseconds:)``.
    public func send(_ call: VarlinkCall) throws(VarlinkClientError) {
        var bytes = call.message.serialized
        bytes.append(0)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent, Int32(MSG_NOSIGNAL)) }
            if count > 0 {
                sent += count
            } else if errno != EINTR {
                throw errno == EPIPE || errno == ECONNRESET ? .connectionClosed : .system("the call could not be sent: \(Self.reason(errno))")
            }
        }
    }

    /// The next reply to the call that was sent last.
    public func receive(timeoutMilliseconds: Int64? = nil) throws -> VarlinkReply {
        let deadline = timeoutMilliseconds.map { Self.now &+ $0 }
        let bytes = try message(deadline: deadline)
        let json: JSON
        do throws(JSONParseError) { json = try JSON(parsing: bytes, depthLimit: 128) } catch {
            throw VarlinkClientError.malformedReply("\(error)")
        }
        guard case .object(let object) = json else { throw VarlinkClientError.malformedReply("it is \(json.typeName), not an object") }
        return try VarlinkReply(message: object)
    }

    private func message(deadline: Int64?) throws(VarlinkClientError) -> [UInt8] {
        while true {
            if let found = buffer.withUnsafeBytes({ scanner.next(in: $0) }) {
                let bytes = Array(buffer[..<found.length])
                buffer.removeFirst(found.consumed)
                return bytes
            }
            guard buffer.count <= Self.longestReply else { throw .replyTooLarge(limit: Self.longestReply) }
            try waitUntilReadable(deadline: deadline)
            try read()
        }
    }

    private func read() throws(VarlinkClientError) {
        let size = 65_536
        let count: Int
        var chunk = [UInt8](repeating: 0, count: size)
        count = recv(descriptor, &chunk, size, Int32(MSG_DONTWAIT))
        if count > 0 {
            buffer.append(contentsOf: chunk[..<count])
        } else if count == 0 || errno == ECONNRESET {
            throw .connectionClosed
        } else if errno != EINTR, errno != EAGAIN {
            throw .system("the reply could not be read: \(Self.reason(errno))")
        }
    }

    private func waitUntilReadable(deadline: Int64?) throws(VarlinkClientError) {
        var waits = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let timeout: Int32
            if let deadline {
                let left = deadline - Self.now
                guard left > 0 else { throw .timedOut }
                timeout = Int32(min(left, Int64(Int32.max)))
            } else {
                timeout = -1
            }
            let count = poll(&waits, 2, timeout)
            if count < 0, errno != EINTR { throw .system("waiting for the reply failed: \(Self.reason(errno))") }
            guard count > 0 else { continue }
            if waits[1].revents != 0 { throw .cancelled }
            if waits[0].revents != 0 { return }
        }
    }

    /// Milliseconds of the clock that never jumps.
    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
