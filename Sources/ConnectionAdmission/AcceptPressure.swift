import Glibc
import NIOCore

/// Keeps a listener alive when the process has run out of file descriptors or memory: makes room among its own connections, and tries
/// to accept again after a pause, not at once and for ever.
package final class AcceptPressure: ChannelInboundHandler {
    package typealias InboundIn = any Channel

    /// Short, since a person may be waiting; long enough to be no load.
    private static let pause = TimeAmount.milliseconds(100)

    private let connections: ConnectionTable

    private init(connections: ConnectionTable) { self.connections = connections }

    /// For the pipeline of the listening channel, while it is set up.
    package static func handlers(for connections: ConnectionTable) -> [any ChannelHandler] {
        [
            AcceptBackoffHandler(shouldForwardIOErrorCaught: true) { pause(after: $0) },
            AcceptPressure(connections: connections),
        ]
    }

    /// How long to wait before accepting again; nil for what is about one connection and will not come back with the next.
    private static func pause(after error: IOError) -> TimeAmount? {
        [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) ? pause : nil
    }

    /// Errors of a listening channel that do not close it are about one attempt to accept, or one connection that was
    /// not let in; neither concerns anyone else.
    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError, Self.pause(after: error) != nil { connections.closeLongestIdle() }
    }
}
