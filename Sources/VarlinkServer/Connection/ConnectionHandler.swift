import ConnectionAdmission
import NIOCore
import StrictJSON
import Varlink

/// One connection: cuts calls out of what comes, hands them to the service one at a time, and writes the replies.
///
/// Calls are carried out in order, each after the final reply of the one before, so replies cannot overtake each
/// other and nothing but bytes is kept for calls that wait.
///
/// `@unchecked Sendable`: everything but `eventLoop` is touched on the event loop only.
final class ConnectionHandler: ChannelDuplexHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = Never
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    enum Phase: Equatable {
        /// Calls are read and answered.
        case serving
        /// The client has sent its last byte; what it asked is still answered.
        case draining
        /// No more calls are carried out. What is written is flushed, and what comes is dropped.
        case ending
        case closed
    }

    struct CurrentCall {
        var number: Int
        var call: (more: Bool, oneway: Bool)
        var ending: MessageEnding
        var onCancel: (@Sendable () -> Void)?
    }

    /// A call that has come whole but waits for its turn: how many bytes of `input` it has, with its ending and without.
    struct WaitingCall {
        var length: Int
        var consumed: Int
        var ending: MessageEnding
    }

    /// Above it, calls wait for the client to read.
    static let waterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 64 << 10, high: 256 << 10)

    let listener: ListenerState
    let eventLoop: any EventLoop
    let peer: VarlinkPeer
    /// Nil for one connection too many: it is told so and closed.
    let slot: ConnectionSlot?

    var context: ChannelHandlerContext?
    var phase = Phase.serving

    // Reading.
    var input = ByteBuffer()
    var scanner: MessageScanner
    var waiting: [WaitingCall] = []
    var waitingBytes = 0
    /// The next message is longer than the limit; nothing after it can be found.
    var isOverlong = false
    var hasHeldRead = false
    var isInReadBurst = false

    // Calls.
    var current: CurrentCall?
    var lastNumber = 0
    /// The call for which the service still holds a handle without a final reply, also after the client has gone.
    var unfinished: Int?
    var isPumping = false
    /// Carries on after a pause.
    var resumption: Scheduled<Void>?
    /// The pause for a client that does not read is over.
    var isPatienceOver = false

    // Writing.
    var output = ByteBuffer()
    /// The last reply ended in a newline, and a NUL may still have to follow it.
    var mayOweNUL = false

    init(listener: ListenerState, peer: VarlinkPeer, slot: ConnectionSlot?) {
        self.listener = listener
        self.peer = peer
        self.slot = slot
        eventLoop = listener.eventLoop
        scanner = MessageScanner(limit: listener.limits.messageBytes)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if slot == nil { listener.refused(self) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // Again, for a channel that was closed before it became active.
        listener.removed(self)
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        if slot == nil {
            end(with: listener.limits.overload)
        } else {
            listener.service.connectionOpened(peer)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        phase = .closed
        listener.removed(self)
        resumption?.cancel()
        resumption = nil
        waiting = []
        input = ByteBuffer()
        output = ByteBuffer()
        let cancelled = current?.onCancel
        replaceCurrent(nil)
        cancelled?()
        settlePlace()
        slot?.closed()
        if slot != nil { listener.service.connectionClosed(peer) }
    }

    /// A broken connection is closed and nobody else notices: the peer's errors are not ours.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { close() }

    func close() {
        context?.close(promise: nil)
    }
}
