import Glibc

/// TCP connections to this machine.
enum LoopbackSocket {
    /// - Returns: a connected, non-blocking descriptor; the caller closes it.
    static func connect(host: String, port: Int, deadline: Deadline) throws -> Int32 {
        let place = "\(host) port \(port)"
        let family = host.unicodeScalars.contains(":") ? AF_INET6 : AF_INET
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw failure(place) }
        let status = connect(descriptor, family, host == "localhost" ? "127.0.0.1" : host, port)
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

    private static func connect(_ descriptor: Int32, _ family: Int32, _ host: String, _ port: Int) -> Int32 {
        var hints = addrinfo()
        (hints.ai_family, hints.ai_flags) = (family, AI_NUMERICHOST | AI_NUMERICSERV)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let address = found else {
            errno = EADDRNOTAVAIL
            return -1
        }
        let status = Glibc.connect(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen)
        let code = errno
        freeaddrinfo(address)
        errno = code
        return status
    }

    private static func failure(_ place: String) -> LoopbackRequest.Failure {
        let isAbsent = [EADDRNOTAVAIL, EAFNOSUPPORT, ENETUNREACH].contains(errno)
        return LoopbackRequest.Failure(description: "\(place): \(String(cString: strerror(errno)))", isAbsent: isAbsent)
    }
}
