import Glibc
import NIOCore

extension Channel {
    /// NIO opens and accepts sockets without SOCK_CLOEXEC: a program that this process starts would hold the port or the connection open
    /// after we closed it, and could write to it. To be called on the event loop.
    package func keepFromOtherPrograms() throws {
        try pipeline.syncOperations.withUnsafeTransportIfAvailable { (descriptor: NIOBSDSocket.Handle) in
            guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw IOError(errnoCode: errno, reason: "fcntl") }
        }
    }
}
