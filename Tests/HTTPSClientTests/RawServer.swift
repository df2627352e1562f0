import Glibc

/// A TCP server on loopback that says whatever a test wants, on threads of its own.
final class RawServer: Sendable {
    let port: Int

    /// - Parameters:
    ///   - portOfIPv6: on `::1`, instead of a free one on 127.0.0.1.
    ///   - serve: called for every connection; the socket is closed when it returns.
    init(portOfIPv6: Int? = nil, _ serve: @escaping @Sendable (RawConnection) -> Void) throws {
        let listener = try portOfIPv6.map(Self.boundToIPv6) ?? Self.bound()
        guard listen(listener.descriptor, 128) == 0 else { throw SystemError(code: errno) }
        port = listener.port
        // Nobody closes the listener: a test may release a server while it is in use, and a number that another server
        // got meanwhile must not be accepted from. The process ends them all.
        startThread {
            while true {
                let descriptor = accept(listener.descriptor, nil, nil)
                guard descriptor >= 0 else { continue }
                startThread {
                    let connection = RawConnection(descriptor)
                    serve(connection)
                    connection.close()
                }
            }
        }
    }

    /// A server that reads the whole head of a request, answers, and closes.
    convenience init(answer: [UInt8]) throws {
        try self.init { connection in
            connection.readHead()
            connection.write(answer)
        }
    }

    /// A port where nobody listens, until someone does.
    static func freePort() throws -> Int {
        let socket = try bound()
        close(socket.descriptor)
        return socket.port
    }

    private static func bound() throws -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let outcome = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        guard outcome else { throw SystemError(code: errno) }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    private static func boundToIPv6(_ port: Int) throws -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = UInt16(port).bigEndian
        address.sin6_addr = in6addr_loopback
        let length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let outcome = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard outcome == 0 else { throw SystemError(code: errno) }
        return (descriptor, port)
    }
}

struct SystemError: Error { var code: Int32 }

/// Not safe to share; one thread uses it.
final class RawConnection {
    private let descriptor: Int32
    private(set) var received: [UInt8] = []

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func close() { Glibc.close(descriptor) }

    func withDescriptor<Result>(_ body: (Int32) -> Result) -> Result { body(descriptor) }

    /// False when the other side is gone.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// What came next; empty at the end.
    @discardableResult
    func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        let bytes = Array(buffer.prefix(max(0, count)))
        received += bytes
        return bytes
    }

    /// Reads until the empty line after a head has come, or the end; gives all that came.
    @discardableResult
    func readHead() -> String {
        while !String(decoding: received, as: UTF8.self).contains("\r\n\r\n") {
            if read().isEmpty { break }
        }
        return String(decoding: received, as: UTF8.self)
    }

    /// Reads a head and the body whose length it names.
    @discardableResult
    func readRequest() -> String {
        let head = readHead()
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
        let headLength = (head.components(by: "\r\n\r\n").first?.utf8.count ?? 0) + 4
        while received.count < headLength + length {
            if read().isEmpty { break }
        }
        return String(decoding: received, as: UTF8.self)
    }

    /// What was read so far was another request's.
    func forget() { received = [] }

    /// Ends the connection at once; the other side's system knows when this returns.
    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Reads until the other side closes.
    func drain() { while !read().isEmpty {} }

    /// Closes with a reset instead of an end.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Carries bytes both ways between this connection and a port of this machine until either closes.
    func splice(toPort port: Int) {
        let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(other, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard connected else { return }
        let far = RawConnection(other)
        var polls = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: other, events: Int16(POLLIN), revents: 0)]
        while poll(&polls, 2, -1) > 0 {
            if polls[0].revents != 0 {
                let bytes = read()
                if bytes.isEmpty || !far.write(bytes) { break }
            }
            if polls[1].revents != 0 {
                let bytes = far.read()
                if bytes.isEmpty || !write(bytes) { break }
            }
        }
        far.close()
    }
}

/// A thread, because a blocking call has no place among Swift's tasks.
func startThread(_ body: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    pthread_create(
        &thread, &attributes,
        { argument in
            if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
            return nil
        }, Unmanaged.passRetained(Box(body)).toOpaque())
    pthread_attr_destroy(&attributes)
}

extension String {
    func components(by separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
