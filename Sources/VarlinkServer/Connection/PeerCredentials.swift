import Glibc
import NIOCore

/// Who connected, by SO_PEERCRED (unix(7)): the kernel's word, which the peer cannot change.
struct PeerCredentials {
    var pid: pid_t
    var uid: uid_t
    var gid: gid_t

    /// Nil where the kernel does not say. To be called on the channel's event loop.
    init?(of channel: any Channel) {
        let found = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable {
            (descriptor: NIOBSDSocket.Handle) in PeerCredentials(descriptor: descriptor)
        }
        guard let credentials = found.flatMap({ $0 }).flatMap({ $0 }) else { return nil }
        self = credentials
    }

    private init?(descriptor: CInt) {
        // `struct ucred`, which Glibc shows only to GNU sources: three numbers of 32 bits.
        var fields: (pid: UInt32, uid: UInt32, gid: UInt32) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: fields))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &fields, &size) == 0,
            size == socklen_t(MemoryLayout.size(ofValue: fields))
        else { return nil }
        pid = pid_t(bitPattern: fields.pid)
        uid = fields.uid
        gid = fields.gid
    }
}
