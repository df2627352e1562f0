import ConnectionAdmission
import Glibc
import NIOCore

/// Keeps a listener working when the process has run out of file descriptors or memory: makes room among its own connections, and tries to
/// accept again after a pause, not in an endless loop.
package final class AcceptPressure: ChannelInboundHandler {
    package typealias InboundIn = any Channel

    /// Short, since a person may be waiting; long enough to cause no load.
    private static let pause = TimeAmount.milliseconds(100)

    private let connections: ConnectionTable
    private let wasShort: (AcceptShortage) -> Void
    private var isPaused = false

    /// To be added to the pipeline of the listening channel while it is set up.
    ///
    /// - Parameter wasShort: called for each attempt that fails for this reason.
    package init(for connections: ConnectionTable, wasShort: @escaping (AcceptShortage) -> Void) {
        self.connections = connections
        self.wasShort = wasShort
    }

    private func somebodyWaits(_ context: ChannelHandlerContext) -> Bool {
        let answer = try? context.channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (descriptor: NIOBSDSocket.Handle) in
            AcceptShortage.keepsSomebodyWaiting(at: descriptor)
        }
        return answer ?? true
    }

    /// Errors of a listening channel that do not close it concern one attempt to accept, or one connection that was refused, and nothing
    /// else.
    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, let shortage = AcceptShortage(error.errnoCode), somebodyWaits(context) else { return }
        wasShort(shortage)
        connections.closeLongestIdle()
        guard !isPaused, let options = context.channel.syncOptions else { return }
        isPaused = true
        // After a failed attempt NIO waits for the socket to be readable, which it is at once, again and again, while a connection waits
        // there (its own AcceptBackoffHandler only delays further attempts). Without automatic reading it does not watch the socket.
        try? options.setOption(.autoRead, value: false)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [channel = context.channel] in
            self.isPaused = false
            try? channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }
}
