import ConnectionAdmission
import Glibc
import Reactor
import StrictJSON
import Varlink

/// One connection: splits its input into calls, passes them to the service one at a time, and writes the replies.
///
/// Calls are carried out in order, each after the final reply to the previous one, so replies cannot overtake each other and only bytes are
/// kept for waiting calls.
///
/// `@unchecked Sendable`: everything except `loop` is used only on the loop.
final class ConnectionHandler: ReadinessHandler, AdmittedConnection, @unchecked Sendable {
    enum Phase: Equatable {
        /// Calls are read and answered.
        case serving
        /// The client has sent its last byte; its calls are still answered.
        case draining
        /// No more calls are carried out. Output is flushed, and input is dropped.
        case ending
        /// The client has disconnected, and the socket is closed. Its calls without a reply are still carried out.
        case departed
        case closed
    }

    struct CurrentCall {
        var number: Int
        var call: (more: Bool, oneway: Bool)
        var ending: MessageEnding
        var onCancel: (@Sendable () -> Void)?
    }

    /// A complete call that waits for its turn: how many bytes of `input` it has, with its ending and without.
    struct WaitingCall {
        var length: Int
        var consumed: Int
        var ending: MessageEnding
    }

    let listener: ListenerState
    let loop: EpollLoop
    let peer: VarlinkPeer
    /// Nil for one connection too many: it gets an error and is closed.
    private(set) var slot: ConnectionSlot?

    let descriptor: CInt
    private var watch: EpollLoop.Watch?
    /// What the socket is watched for.
    private(set) var awaited: Readiness = .readable
    var phase = Phase.serving

    // Reading.
    var input = InputBuffer()
    var inputHasEnded = false
    var scanner: MessageScanner
    var waiting: [WaitingCall] = []
    var waitingBytes = 0
    /// The next message is longer than the limit; anything after it cannot be found.
    var isOverlong = false

    // Calls.
    var current: CurrentCall?
    var lastNumber = 0
    /// The call for which the service still has a handle without a final reply, also after the client has disconnected.
    var unfinished: Int?
    var isPumping = false
    /// Continues after a pause.
    var resumption: LoopTimer?
    /// The pause for a client that does not read is over.
    var isPatienceOver = false

    // Writing.
    var output: [UInt8] = []
    /// Bytes of `output` that the socket has accepted.
    var written = 0
    /// The part of `output` that the listener counts: nothing, as long as the client reads.
    var countedOutput = 0
    /// The client has much to read before more calls are carried out.
    var isCongested = false
    /// The last reply ended in a newline, and a NUL may still have to follow it.
    var mayOweNUL = false

    /// - Parameter descriptor: owned by the connection from now on.
    init(_ descriptor: CInt, listener: ListenerState, peer: VarlinkPeer) {
        self.descriptor = descriptor
        self.listener = listener
        self.peer = peer
        loop = listener.loop
        scanner = MessageScanner(limit: listener.limits.messageBytes)
    }

    func start(in slot: ConnectionSlot?) {
        self.slot = slot
        watch = loop.watch(descriptor, for: awaited, self)
        if slot == nil { listener.refused(self) } else { listener.service.connectionOpened(peer) }
        guard watch != nil else { return close() }
        if slot == nil { end(with: listener.limits.overload) }
    }

    func ready(for readiness: Readiness) {
        if !readiness.isDisjoint(with: .ended) {
            // What arrived before the end is still a call.
            while phase == .serving, receive() {}
            return clientLeft()
        }
        if readiness.contains(.writable) { outputMayGoOn() }
        if readiness.contains(.readable), phase != .closed { receive() }
    }

    var hasUnreadBytes: Bool { hasUnreadBytes(descriptor) }

    /// Watches the socket for what is useful now.
    func updateWatch() {
        guard let watch else { return }
        var wanted: Readiness = inputHasEnded || holdsReading ? [] : .readable
        if written < output.count { wanted.insert(.writable) }
        guard wanted != awaited else { return }
        awaited = wanted
        loop.change(watch, to: wanted)
    }

    /// The client no longer receives anything: its call under way is cancelled, and of the waiting calls those with a reply are dropped.
    /// The others are carried out, in order and with the usual pauses.
    ///
    /// The descriptor is closed at once. What is left in memory is no more than what the kernel held for one socket and we for one
    /// connection, and a quarter of the connections may continue in this way: anything else that clients leave behind is dropped.
    private func clientLeft() {
        guard phase == .serving || phase == .draining, input.count > 0, listener.mayGoOnAlone() else { return close() }
        phase = .departed
        closeSocket()
        dropOutput()
        mayOweNUL = false
        resumption?.cancel()
        resumption = nil
        cancelCurrent()
        carryOnAlone()
    }

    private func closeSocket() {
        if let watch { loop.end(watch) }
        watch = nil
        Glibc.close(descriptor)
    }

    private func cancelCurrent() {
        let cancelled = current?.onCancel
        replaceCurrent(nil)
        cancelled?()
    }

    func close() {
        guard phase != .closed else { return }
        listener.removed(self)
        if phase != .departed { closeSocket() }
        phase = .closed
        resumption?.cancel()
        resumption = nil
        waiting = []
        input = InputBuffer()
        dropOutput()
        cancelCurrent()
        settlePlace()
        slot?.closed()
        if slot != nil { listener.service.connectionClosed(peer) }
    }
}
