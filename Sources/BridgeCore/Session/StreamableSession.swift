import PosternValues

/// MCP over stdio on one side, over Streamable HTTP on the other: what is sent, written and waited for.
///
/// The client's messages decide the era. `initialize` begins a session (2025-03-26, 2025-06-18, 2025-11-25); a protocol version in `_meta`
/// is stateless (2026-07-28). Neither is translated into the other.
public struct StreamableSession: Sendable {
    let url: String
    let limits: SessionLimits
    var actions: [SessionAction] = []
    var lastExchange = 0

    var era = Era.session
    var session: Session?
    /// What later messages of a session wait for: the answer to `initialize`, then the one to `notifications/initialized`.
    var barrier: ExchangeID?
    var stream = ServerStream()
    var tools = ToolHeaders()

    var exchanges: [ExchangeID: Exchange] = [:]
    /// The requests of the client that have no answer.
    var inUse: Set<MessageID.Key> = []
    /// Lines that wait for the barrier.
    var held: [ClientLine] = []
    /// More requests than may run at once.
    var queue: [Call] = []
    /// Notifications and responses that wait for earlier ones.
    var notices: [Notice] = []
    /// Calls whose session was over; they are sent again in the next one.
    var lost: [Call] = []
    /// Calls whose stream is taken up again after a pause, by the exchange that broke.
    var broken: [ExchangeID: Call] = [:]

    /// The number of the last session.
    var lastSession = 0
    /// The server answered a request of 2026-07-28 as such.
    var isKnownStateless = false
    var hasAnswer = false
    private var isPaused = false
    private var hasEnded = false
    private var told: Set<String> = []

    /// - Parameter url: the server's, absolute.
    public init(url: String) { self.init(url: url, limits: SessionLimits()) }

    init(url: String, limits: SessionLimits) {
        self.url = url
        self.limits = limits
    }

    /// Takes what happened. The actions are to be done in their order, before the next event.
    public mutating func handle(_ event: SessionEvent) -> [SessionAction] {
        guard !hasEnded else { return [] }
        switch event {
        case .line(let bytes): lineReceived(bytes)
        case .inputEnded: inputEnded()
        case .answered(let id, let answer):
            answered(id, answer)
            limitRest(id)
        case .received(let id, let bytes): received(id, bytes)
        case .ended(let id): ended(id)
        case .failed(let id, let failure): failed(id, failure)
        case .elapsed(.resume(let id)): elapsed(id)
        case .elapsed(.rest(let id)): endRest(id)
        }
        sendWhatWaits()
        pauseOrGoOn()
        defer { actions = [] }
        return actions
    }

    /// Each sentence is told once, and not without an end: servers can provoke them.
    mutating func tell(_ sentence: String) {
        guard told.count < 256, told.insert(sentence).inserted else { return }
        actions.append(.tell(sentence))
    }

    mutating func write(_ line: [UInt8]) { actions.append(.write(line)) }

    /// The client is gone, so nothing that is under way has anybody who waits for it.
    private mutating func inputEnded() {
        for id in exchanges.keys.sorted(by: { $0.number < $1.number }) { actions.append(.cancel(id)) }
        exchanges = [:]
        endSession()
        actions.append(.end(status: 0))
        hasEnded = true
        isPaused = false
    }

    private mutating func pauseOrGoOn() {
        guard !hasEnded else { return }
        let isFull = bytesInFlight > limits.bytes || held.count + queue.count + notices.count > limits.waiting
        guard isFull != isPaused else { return }
        isPaused = isFull
        actions.append(.pauseInput(isFull))
    }

    /// What the messages under way and those that wait take up.
    var bytesInFlight: Int {
        exchanges.values.reduce(0) { $0 + $1.size } + held.reduce(0) { $0 + $1.bytes.count } + queue.reduce(0) { $0 + $1.line.count }
            + notices.reduce(0) { $0 + $1.line.count } + lost.reduce(0) { $0 + $1.line.count }
    }
}

/// How the client's messages are sent.
enum Era: Sendable, Hashable {
    /// With `initialize`, up to 2025-11-25; also before anything was said.
    case session
    /// With the protocol version in each request.
    case stateless(version: String)

    var isStateless: Bool { self != .session }
}

/// What `initialize` agreed on.
struct Session: Sendable {
    /// Begun anew, a session has a new number.
    var number: Int
    var version: String
    var id: String?
    /// Kept to begin the session anew.
    let initialize: ClientLine
    var initialized: ClientLine?

    /// Older servers may refuse the header.
    var sendsVersion: Bool { version >= "2025-06-18" }
    var hasBatches: Bool { version == "2025-03-26" }
}
