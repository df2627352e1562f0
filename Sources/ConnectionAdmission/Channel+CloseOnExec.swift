import Glibc
import NIOCore

extension Channel {
    /// NIO opens and accepts sockets without SOCK_CLOEXEC: a program that this process starts would hold the port or the connection
    /// open after we closed it, and could speak on it. To be called on the event loop.
    package func keepFromOtherPrograms() throws { try keepFromOtherPrograms { _ in } }

    /// As ``keepFromOtherPrograms()``, with a look at the socket: each way to it costs NIO some microseconds.
    ///
    /// - Returns: what the body makes of the descriptor; nil for a channel without one.
    @discardableResult
    package func keepFromOtherPrograms<Value>(_ body: (CInt) -> Value) throws -> Value? {
        try pipeline.syncOperations.withUnsafeTransportIfAvailable { (descriptor: NIOBSDSocket.Handle) -> Value in
            guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw IOError(errnoCode: errno, reason: "fcntl") }
            return body(descriptor)
        }
    }
}
