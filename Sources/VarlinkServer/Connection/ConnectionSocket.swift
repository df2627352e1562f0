import Glibc
import NIOCore

/// Who connected, by SO_PEERCRED (unix(7)): the kernel's word, which the peer cannot change.
struct PeerCredentials {
    var pid: pid_t
    var uid: uid_t
    var gid: gid_t
}

/// The socket under a new connection's channel. To be used on the channel's event loop.
enum ConnectionSocket {
    /// Keeps the socket from our children, and tells whose it is; nil where the kernel does not say.
    ///
    /// NIO accepts without SOCK_CLOEXEC. A program that we start would hold the connection open after we closed it,
    /// and could speak on it.
    static func prepare(_ channel: any Channel) -> PeerCredentials? {
        let credentials = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable {
            (descriptor: NIOBSDSocket.Handle) -> PeerCredentials? in
            guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { return nil }
            return peerCredentials(of: descriptor)
        }
        return credentials ?? nil
    }

    private static func peerCredentials(of descriptor: CInt) -> PeerCredentials? {
        // `struct ucred`, which Glibc shows only to GNU sources: three numbers of 32 bits.
        var fields: (pid: UInt32, uid: UInt32, gid: UInt32) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: fields))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &fields, &size) == 0,
            size == socklen_t(MemoryLayout.size(ofValue: fields))
        else { return nil }
        return PeerCredentials(pid: pid_t(bitPattern: fields.pid), uid: fields.uid, gid: fields.gid)
    }
}
