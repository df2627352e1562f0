import Glibc

/// TCP connections to this machine.
enum LoopbackSocket {
    /// - Returns: a connected, non-blocking descriptor; the caller closes it.
    static func connect(host: String, port: Int, deadline: Deadline) throws -> Int32 {
        let place = "\(host) port \(port)"
        let family = host.unicodeScalars.contains(":") ? AF_INET6 : AF_INET
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw failure(place) }
        let status = family == AF_INET6 ? connect6(descriptor, host, port) : connect4(descriptor, host, port)
        if status != 0 {
            guard errno == EINPROGRESS else {
                defer { close(descriptor) }
                throw failure(place)
            }
            guard deadline.wait(for: Int(POLLOUT), on: [descriptor])[0] else {
                close(descriptor)
                throw LoopbackRequest.Failure(description: "\(place) did not answer in time")
            }
            var error: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
            guard error == 0 else {
                close(descriptor)
                errno = error
                throw failure(place)
            }
        }
        return descriptor
    }

    private static func connect4(_ descriptor: Int32, _ host: String, _ port: Int) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
        guard inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host, &address.sin_addr) == 1 else {
            errno = EADDRNOTAVAIL
            return -1
        }
        return withUnsafeBytes(of: &address) {
            Glibc.connect(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
    }

    private static func connect6(_ descriptor: Int32, _ host: String, _ port: Int) -> Int32 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = in_port_t(truncatingIfNeeded: port).bigEndian
        guard inet_pton(AF_INET6, host, &address.sin6_addr) == 1 else {
            errno = EADDRNOTAVAIL
            return -1
        }
        return withUnsafeBytes(of: &address) {
            Glibc.connect(descriptor, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
    }

    private static func failure(_ place: String) -> LoopbackRequest.Failure {
        let isAbsent = [EADDRNOTAVAIL, EAFNOSUPPORT, ENETUNREACH].contains(errno)
        return LoopbackRequest.Failure(description: "\(place): \(String(cString: strerror(errno)))", isAbsent: isAbsent)
    }
}
