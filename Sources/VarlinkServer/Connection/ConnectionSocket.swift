import Glibc
import NIOCore
import Varlink

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
            return PeerCredentials(of: descriptor)
        }
        return credentials ?? nil
    }
}
