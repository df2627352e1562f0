import ConnectionAdmission
import Glibc
import Reactor
import StrictJSON
import Varlink

/// One connection: splits its input into calls, passes them to the service one at a time, and writes the replies.
///
/// ``ConnectionMachine`` decides what happens, and this makes it happen.
///
/// `@unchecked Sendable`: everything except `loop` is used only on the loop.
final class ConnectionHandler: ReadinessHandler, AdmittedConnection, @unchecked Sendable {
    let listener: ListenerState
    let loop: EpollLoop
    let peer: VarlinkPeer
    /// Nil for one connection too many: it gets an error and is closed.
    private(set) var slot: ConnectionSlot?

    let descriptor: CInt
    private var watch: EpollLoop.Watch?
    /// What the socket is watched for.
    private(set) var awaited: Readiness = .readable

    // Their methods call nothing outside, so accesses cannot overlap; checking each at run time takes 12 % of a call.
    @exclusivity(unchecked) var machine = ConnectionMachine()
    @exclusivity(unchecked) var queue: CallQueue
    /// The end of a pause, or of the time that a client has to see how its connection ends.
    var timer: LoopTimer?
    /// What the service wants to be told when the call under way is cancelled.
    var cancellation: (@Sendable () -> Void)?

    // Writing.
    var output: [UInt8] = []
    /// Bytes of `output` that the socket has accepted.
    var written = 0
    /// The part of `output` that the listener counts: nothing, as long as the client reads.
    var countedOutput = 0
    /// The client has much to read before more calls are carried out.
    var isCongested = false

    var phase: ConnectionMachine.Phase { machine.phase }

    /// - Parameter descriptor: owned by the connection from now on.
    init(_ descriptor: CInt, listener: ListenerState, peer: VarlinkPeer) {
        self.descriptor = descriptor
        self.listener = listener
        self.peer = peer
        loop = listener.loop
        queue = CallQueue(messageBytes: listener.limits.messageBytes)
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
        var wanted: Readiness = machine.inputHasEnded || holdsReading ? [] : .readable
        if written < output.count { wanted.insert(.writable) }
        guard wanted != awaited else { return }
        awaited = wanted
        loop.change(watch, to: wanted)
    }

    func perform(_ action: ConnectionMachine.Action) {
        switch action {
        case .ignore: break
        case .carryOn: pump()
        case .settlePlace: settlePlace()
        case .end:
            forgetCancellation()
            end()
        case .flush: flushAndClose()
        case .close: close()
        }
    }

    /// The client no longer receives anything: its call under way is cancelled, and of the waiting calls those with a reply are dropped.
    /// The others are carried out, in order and with the usual pauses.
    ///
    /// The descriptor is closed at once. What is left in memory is no more than what the kernel held for one socket and we for one
    /// connection, and a quarter of the connections may continue in this way: anything else that clients leave behind is dropped.
    private func clientLeft() {
        guard phase == .serving || phase == .draining, queue.bytes > 0, listener.mayGoOnAlone() else { return close() }
        machine.clientLeft()
        closeSocket()
        dropOutput()
        stopTimer()
        cancelCall()
        carryOnAlone()
    }

    private func closeSocket() {
        if let watch { loop.end(watch) }
        watch = nil
        Glibc.close(descriptor)
    }

    func stopTimer() {
        timer?.cancel()
        timer = nil
    }

    /// The machine has dropped the call under way, if there was one.
    private func cancelCall() {
        let cancelled = cancellation
        cancellation = nil
        cancelled?()
    }

    func close() {
        guard phase != .closed else { return }
        listener.removed(self)
        if machine.closed() != .departed { closeSocket() }
        stopTimer()
        queue.removeAll()
        dropOutput()
        cancelCall()
        settlePlace()
        slot?.closed()
        if slot != nil { listener.service.connectionClosed(peer) }
    }
}
