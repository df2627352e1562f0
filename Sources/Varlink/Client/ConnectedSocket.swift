import Glibc

/// A connection for an event loop.
package enum ConnectedSocket {
    /// Connects without waiting, and verifies that the service runs as a trusted user.
    ///
    /// - Parameter servers: the users that the service may run as.
    /// - Returns: a non-blocking descriptor, which the caller closes.
    /// - Throws: `timedOut` if the service's queue of connections is full.
    package static func open(path: String, servers: [UInt32] = [geteuid()]) throws(VarlinkClientError) -> CInt {
        let socket = try ClientSocket(path: path, servers: servers, deadline: Deadline(after: .zero))
        guard let descriptor = socket.duplicate() else { throw .cannotConnect(path: path, errno: errno) }
        return descriptor
    }
}

extension ClientSocket {
    /// Another descriptor of the same connection, which outlives this object; nil if the system has none.
    fileprivate func duplicate() -> CInt? {
        let copy = withDescriptor { fcntl($0, F_DUPFD_CLOEXEC, 3) }
        return copy < 0 ? nil : copy
    }
}
