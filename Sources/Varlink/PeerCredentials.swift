import Glibc

/// The process at the other end of a connected Unix socket, by SO_PEERCRED (unix(7)): the kernel reports it, and the peer cannot change it.
/// For a client it is the process that connected; for a server the one that made the socket listen.
package struct PeerCredentials: Sendable {
    package var pid: pid_t
    package var uid: uid_t
    package var gid: gid_t

    /// Nil if the kernel does not report it; `errno` is set then.
    package init?(of descriptor: CInt) {
        // `struct ucred`, which Glibc declares only for GNU sources: three 32-bit numbers.
        var fields: (pid: UInt32, uid: UInt32, gid: UInt32) = (0, 0, 0)
        let expected = socklen_t(MemoryLayout.size(ofValue: fields))
        var size = expected
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &fields, &size) == 0 else { return nil }
        guard size == expected else {
            errno = EPROTO
            return nil
        }
        (pid, uid, gid) = (pid_t(bitPattern: fields.pid), fields.uid, fields.gid)
    }
}
