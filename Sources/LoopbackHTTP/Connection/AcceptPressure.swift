import Glibc
import NIOCore

/// Keeps a listener alive when the process has run out of file descriptors: makes room among its own connections.
/// `AcceptBackoffHandler` before it sees to it that accepting is tried again after a pause, not at once and for ever.
final class AcceptPressure: ChannelInboundHandler {
    typealias InboundIn = any Channel

    /// Short, since a person may be waiting; long enough to be no load.
    private static let pause = TimeAmount.milliseconds(100)

    private let connections: ConnectionTable

    init(connections: ConnectionTable) { self.connections = connections }

    /// How long to wait before accepting again; nil for what is about one connection and will not come back with the next.
    static func pause(after error: IOError) -> TimeAmount? {
        [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) ? pause : nil
    }

    /// Errors of a listening channel that do not close it are about one attempt to accept, or one connection that was
    /// not let in; neither concerns anyone else.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? IOError, Self.pause(after: error) != nil { connections.closeOldestIdle() }
    }
}
