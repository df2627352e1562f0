import BridgeCore
import NIOCore

/// Does what a session over stdio decides: reads and writes the lines, sends the requests, keeps the times.
///
/// Everything happens on the event loop. One event is handled at a time, with all that follows from it, before the next one.
final class StdioBridge<Machine: SessionMachine> {
    private var machine: Machine
    private let upstream: any Upstream
    private let account: String?
    private let limits: StdioLimits
    private let ends: StdioEnds
    private var input: StdioInput { ends.input }
    private var output: StdioOutput { ends.output }
    private var eventLoop: any EventLoop { ends.eventLoop }
    /// Nil once it was called.
    private var finished: ((Int32) -> Void)?

    private var events: [SessionEvent] = []
    private var isHandling = false
    private var exchanges: [ExchangeID: Exchange] = [:]
    private var timers: [SessionTimer: Scheduled<Void>] = [:]
    private var isInputOver = false
    private var pausesInput = false
    private var pausesExchanges = false
    /// Set when the session has ended, and what is under way gets its last moment.
    private var status: Int32?

    /// - Parameter finished: the program can end with this status.
    init(
        machine: Machine, upstream: any Upstream, account: String?, limits: StdioLimits = StdioLimits(), ends: StdioEnds,
        finished: @escaping (Int32) -> Void
    ) {
        self.machine = machine
        self.upstream = upstream
        self.account = account
        self.limits = limits
        self.ends = ends
        self.finished = finished
    }

    /// - Parameter first: a line that was read before.
    func start(first: LineReader.Line? = nil) {
        output.handler = self
        input.reportsEndWhilePaused = true
        if output.isClosed { return outputClosed() }
        if let first { received(first) }
        pauseAsNeeded()
        if status == nil { input.handler = self }
    }

    /// Somebody wants the program to end; the client's side counts as closed.
    func stop() {
        input.handler = nil
        guard !isInputOver else { return end(0) }
        isInputOver = true
        report(.inputEnded)
    }

    // MARK: Events

    private func report(_ event: SessionEvent) {
        guard status == nil else { return }
        events.append(event)
        guard !isHandling else { return }
        isHandling = true
        var next = 0
        while next < events.count, status == nil {
            let event = events[next]
            next += 1
            for action in machine.handle(event) where status == nil { perform(action) }
        }
        events.removeAll(keepingCapacity: next < 64)
        isHandling = false
        output.flush()
        pauseAsNeeded()
    }

    private func perform(_ action: SessionAction) {
        switch action {
        case .send(let id, let request, let isFirst): send(id, request, isFirst)
        case .cancel(let id): remove(id)?.cancel()
        case .write(let line): output.write(line)
        case .wait(let timer, let milliseconds): wait(timer, milliseconds)
        case .tell(let sentence): ends.errors.tell(sentence)
        case .pauseInput(let isPaused): pausesInput = isPaused
        case .end(let status): end(status)
        }
    }

    private func send(_ id: ExchangeID, _ request: BridgeRequest, _ isFirst: Bool) {
        let exchange = Exchange { [weak self] event in self?.exchange(id, event) }
        exchanges[id] = exchange
        let waits = isFirst ? limits.personAtFirst : .zero
        let running = upstream.begin(request, account: account, waitsForPerson: waits, handler: exchange)
        // It may have failed at once.
        guard exchanges[id] === exchange else { return }
        exchange.running = running
        running.isPaused = pausesExchanges
    }

    private func exchange(_ id: ExchangeID, _ event: Exchange.Event) {
        guard exchanges[id] != nil else { return }
        switch event {
        case .answered(let answer): report(.answered(id, answer))
        case .received(let bytes): report(.received(id, bytes))
        case .ended:
            remove(id)
            report(.ended(id))
        case .failed(let failure):
            remove(id)
            report(.failed(id, failure))
        }
        if status != nil { finishIfDone() }
    }

    @discardableResult
    private func remove(_ id: ExchangeID) -> Exchange? {
        timers.removeValue(forKey: .rest(id))?.cancel()
        return exchanges.removeValue(forKey: id)
    }

    private func wait(_ timer: SessionTimer, _ milliseconds: Int64) {
        timers[timer]?.cancel()
        timers[timer] = eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(max(0, milliseconds))) { [weak self] in
            guard let self else { return }
            timers[timer] = nil
            // The server cannot end what the client holds up, nor answer what it does not have.
            if case .rest(let id) = timer, pausesExchanges || exchanges[id]?.running?.isSent == false { return wait(timer, milliseconds) }
            report(.elapsed(timer))
        }
    }

    // MARK: Back-pressure

    /// A client that does not read holds up the answers; and what it sends, too, once its own mistakes could fill the memory.
    private func pauseAsNeeded() {
        let pauses = pausesExchanges ? output.waiting > limits.outputLow : output.waiting >= limits.outputHigh
        if pauses != pausesExchanges {
            pausesExchanges = pauses
            for exchange in exchanges.values { exchange.running?.isPaused = pauses }
        }
        input.isPaused = status != nil || pausesInput || output.waiting >= limits.outputMost
    }

    // MARK: The end

    private func end(_ status: Int32) {
        guard self.status == nil else { return }
        self.status = status
        input.handler = nil
        for timer in timers.values { timer.cancel() }
        timers = [:]
        eventLoop.assumeIsolated().scheduleTask(in: limits.lastExchange) { [weak self] in self?.cancelAll() }
        eventLoop.assumeIsolated().scheduleTask(in: limits.lastOutput) { [weak self] in self?.finish() }
        // What has been answered already is still to be written, behind this action.
        eventLoop.assumeIsolated().execute { [weak self] in self?.finishIfDone() }
    }

    private func cancelAll() {
        for exchange in exchanges.values { exchange.cancel() }
        exchanges = [:]
        finishIfDone()
    }

    private func finishIfDone() {
        if exchanges.isEmpty, output.waiting == 0 || output.isClosed { finish() }
    }

    private func finish() {
        guard let status else { return }
        finished?(status)
        finished = nil
    }
}

/// What a client that does not read can hold up, and how long the end takes.
struct StdioLimits {
    /// Waiting output at which no more answers are read, and at which they are again.
    var outputHigh = 256 << 10
    var outputLow = 64 << 10
    /// Waiting output at which nothing more is read from the client.
    var outputMost = 1 << 20
    /// How long a request that needs a person waits for one if no other has had an answer.
    var personAtFirst = TimeAmount.seconds(8)
    /// How long a DELETE is waited for.
    var lastExchange = TimeAmount.milliseconds(100)
    /// How long a client is waited for that still reads. Clients kill a program that takes 2 s.
    var lastOutput = TimeAmount.seconds(1)
}

extension StdioBridge: StdioInputHandler {
    func received(_ line: LineReader.Line) {
        switch line {
        case .line(let bytes): report(.line(bytes))
        case .tooLong:
            let sentence = "a message of the client was longer than \(LineReader.defaultLimit >> 20) MiB, and was not sent"
            ends.errors.tell(sentence)
            output.write(MCPError.line(id: .null, code: MCPErrorCode.tooLong, message: sentence))
            output.flush()
            pauseAsNeeded()
        }
    }

    func inputEnded() { stop() }
}

extension StdioBridge: StdioOutputHandler {
    func outputDrained() { if status == nil { pauseAsNeeded() } else { finishIfDone() } }

    /// A client that does not read any more is gone.
    func outputClosed() { if status == nil { stop() } else { finishIfDone() } }
}

/// One exchange, as its session sees it.
private final class Exchange: AuthorizedExchangeHandler {
    enum Event {
        case answered(BridgeAnswer)
        case received([UInt8])
        case ended
        case failed(BridgeFailure)
    }

    var running: (any AuthorizedExchange)?
    /// Nil once it is cancelled.
    private var report: ((Event) -> Void)?

    init(_ report: @escaping (Event) -> Void) { self.report = report }

    func cancel() {
        report = nil
        running?.cancel()
        running = nil
    }

    func answered(_ answer: BridgeAnswer) { report?(.answered(answer)) }
    func received(_ bytes: ByteBuffer) { report?(.received(Array(bytes.readableBytesView))) }
    func ended() { report?(.ended) }
    func failed(_ failure: BridgeFailure) { report?(.failed(failure)) }
}
