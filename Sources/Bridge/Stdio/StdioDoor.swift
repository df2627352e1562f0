import BridgeCore
import NIOCore

/// The server that a session is with, as the daemon knows it.
struct StdioRoute: Sendable {
    /// Of the server's endpoint.
    var url: String
    /// Whose tokens are used: the NAME of the configuration, or the provider.
    var account: String?
}

/// Why there is no session.
struct StdioRefusal: Error, Sendable {
    /// For a person, lower case, with what to do.
    var sentence: String
    var status: Int32
    /// Of the JSON-RPC error.
    var code: Int64
}

/// Before a session: finds out which server it is with.
///
/// Where that fails, a person at a terminal gets a sentence, and the program ends. A client shows what is on standard error late or never: so
/// each of its requests is answered with the sentence, after the daemon was asked again. It may have been started meanwhile, or the
/// configuration been put right.
final class StdioDoor {
    typealias Session = (StdioRoute, LineReader.Line?) -> Void

    private let route: () -> EventLoopFuture<StdioRoute>
    private let ends: StdioEnds
    private let isTerminal: Bool
    private let open: Session
    private let finished: (Int32) -> Void

    private var input: StdioInput { ends.input }
    private var output: StdioOutput { ends.output }
    private var refusal: StdioRefusal?
    /// The line that waits for the daemon.
    private var held: LineReader.Line?
    /// The client has closed its side, and the last answer is on its way.
    private var isInputOver = false
    private var isOver = false

    /// - Parameters:
    ///   - open: begins the session, with the line that was read already; it takes over both handlers.
    ///   - finished: the program can end with this status.
    init(
        _ ends: StdioEnds, isTerminal: Bool, route: @escaping () -> EventLoopFuture<StdioRoute>, open: @escaping Session,
        finished: @escaping (Int32) -> Void
    ) {
        self.ends = ends
        self.route = route
        self.isTerminal = isTerminal
        self.open = open
        self.finished = finished
    }

    func start() {
        output.handler = self
        ask()
    }

    /// Somebody wants the program to end.
    func stop() {
        guard !isOver else { return }
        isOver = true
        input.handler = nil
        finished(refusal?.status ?? 0)
    }

    private func ask() {
        input.isPaused = true
        route().assumeIsolated().whenComplete { [self] result in
            guard !isOver else { return }
            switch result {
            case .success(let route):
                isOver = true
                input.handler = nil
                open(route, held)
            case .failure(let error):
                refuse(error as? StdioRefusal ?? StdioRefusal(sentence: "\(error)", status: 1, code: MCPErrorCode.daemon))
            }
        }
    }

    private func refuse(_ refusal: StdioRefusal) {
        if refusal.sentence != self.refusal?.sentence { ends.errors.tell(refusal.sentence) }
        self.refusal = refusal
        guard !isTerminal else { return stop() }
        if case .line(let line)? = held, let batch = try? MCPBatch(reading: line) {
            for message in batch.messages where message.kind == .request {
                output.write(MCPError.line(id: message.id, code: refusal.code, message: refusal.sentence))
            }
            output.flush()
        }
        held = nil
        input.handler = self
        input.isPaused = output.waiting >= StdioLimits().outputMost
    }
}

extension StdioDoor: StdioInputHandler, StdioOutputHandler {
    func received(_ line: LineReader.Line) {
        held = line
        ask()
    }

    /// Nothing is answered any more, but what is on its way is written.
    func inputEnded() {
        guard output.waiting > 0, !output.isClosed else { return stop() }
        isInputOver = true
        ends.eventLoop.assumeIsolated().scheduleTask(in: StdioLimits().lastOutput) { [weak self] in self?.stop() }
    }

    func outputDrained() {
        if isInputOver, output.waiting == 0 { return stop() }
        if held == nil, refusal != nil { input.isPaused = output.waiting >= StdioLimits().outputMost }
    }

    func outputClosed() { stop() }
}
