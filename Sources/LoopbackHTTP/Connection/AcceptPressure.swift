import NIOCore

/// Keeps a listener alive when the process has run out of file descriptors: makes room among its own connections.
/// `AcceptBackoffHandler` before it sees to it that accepting is tried again after a pause, not at once and for ever.
final class AcceptPressure: ChannelInboundHandler {
    typealias InboundIn = any Channel

    /// Short, since a person may be waiting; long enough to be no load.
    static let pause = TimeAmount.milliseconds(100)

    private let connections: ConnectionTable

    init(connections: ConnectionTable) { self.connections = connections }

    /// Errors of a listening channel that do not close it are about one attempt to accept, or one connection that was
    /// not let in; neither concerns anyone else.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is IOError { connections.closeOldestIdle() }
    }
}
