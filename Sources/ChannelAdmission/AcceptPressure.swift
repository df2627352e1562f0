import ConnectionAdmission
import Glibc
import NIOCore

/// Accepts no more than can be served: connections wait in the listener's backlog while every place is taken by work, and when the process
/// has run out of file descriptors or memory. Then it makes room among its own connections, and tries again after a pause, not in an endless
/// loop.
package final class AcceptPressure: ChannelDuplexHandler {
    package typealias InboundIn = any Channel
    package typealias OutboundIn = Never

    /// Short, since a person may be waiting; long enough to cause no load.
    private static let pause = TimeAmount.milliseconds(100)

    private let connections: ConnectionTable
    private let wasShort: (AcceptShortage) -> Void
    private var isPaused = false
    private var holdsRead = false
    private var waitsForRoom = false
    private var retry: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    /// To be added to the pipeline of the listening channel while it is set up. The channel must accept one connection at a time.
    ///
    /// - Parameter wasShort: called for each attempt that fails for this reason.
    package init(for connections: ConnectionTable, wasShort: @escaping (AcceptShortage) -> Void) {
        self.connections = connections
        self.wasShort = wasShort
    }

    package func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        retry?.cancel()
    }

    package func read(context: ChannelHandlerContext) {
        guard !connections.makeRoom() else { return context.read() }
        guard !holdsRead else { return }
        holdsRead = true
        if !waitsForRoom {
            waitsForRoom = true
            connections.whenRoom {
                self.waitsForRoom = false
                self.readIfHeld()
            }
        }
        // Bytes that keep a place may turn out to be no whole request, and nothing tells of that.
        guard retry == nil else { return }
        retry = context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            self.retry = nil
            self.readIfHeld()
        }
    }

    private func readIfHeld() {
        guard holdsRead, let context else { return }
        holdsRead = false
        read(context: context)
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
