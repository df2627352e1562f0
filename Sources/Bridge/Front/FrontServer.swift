import BridgeCore
import LoopbackHTTP
import NIOCore

/// Takes requests of programs on this machine, and passes what its policy admits to servers with their authorization.
///
/// Bodies and answers flow at the pace of the slower side. Used only on its event loop; several may share one, and their upstream.
final class FrontServer {
    struct Limits: Sendable {
        /// Of connections and heads.
        var http: HTTPLimits = .streams
        /// Of the bodies that wait in memory, all together.
        var collectedBytes = 64 << 20

        init() {}
    }

    let listener: HTTPListener
    private let service: FrontService

    init(policy: any FrontPolicy, upstream: any Upstream, limits: Limits = Limits(), eventLoop: any EventLoop) {
        service = FrontService(policy: policy, upstream: upstream, collectedBytes: limits.collectedBytes)
        listener = HTTPListener(streams: limits.http, eventLoop: eventLoop, responder: service)
    }

    /// - Returns: the addresses that were bound; fails with `HTTPListenerError`.
    func listen(at targets: [BindTarget]) -> EventLoopFuture<[SocketAddress]> { listener.listen(at: targets) }

    /// Stops listening, and cuts what is under way.
    @discardableResult
    func close() -> EventLoopFuture<Void> { listener.close() }

    /// A request is under way, or a connection is open that may bring one.
    var isUsed: Bool { service.exchanges > 0 || listener.openConnections > 0 }

    /// Called when a request begins, and when it is over.
    var wasUsed: (() -> Void)? {
        get { service.wasUsed }
        set { service.wasUsed = newValue }
    }

    /// Requests under way.
    var requests: Int { service.exchanges }

    /// For a line in the journal.
    var tell: ((String) -> Void)? {
        get { service.tell }
        set { service.tell = newValue }
    }
}

/// What the listener calls.
final class FrontService: StreamResponder {
    private let policy: any FrontPolicy
    private let upstream: any Upstream
    private let collectedBytes: Int
    private var collected = 0
    private var hasToldOfForeigner = false
    fileprivate(set) var exchanges = 0 { didSet { wasUsed?() } }
    var wasUsed: (() -> Void)?
    var tell: ((String) -> Void)?

    init(policy: any FrontPolicy, upstream: any Upstream, collectedBytes: Int) {
        self.policy = policy
        self.upstream = upstream
        self.collectedBytes = collectedBytes
    }

    func begin(_ head: RequestHead, over exchange: IncomingExchange) -> any IncomingHandler {
        let passing = FrontExchange(head, over: exchange, upstream: upstream, service: self)
        exchanges += 1
        policy.admit(head).assumeIsolated().whenComplete { result in
            switch result {
            case .success(.admitted(let passage)): passing.admitted(by: passage)
            case .success(.failed(let passage, let failure)): passing.admitted(by: passage, failure)
            case .success(.refused(let response)): passing.answer(response)
            case .failure: passing.answer(self.refusal(of: .responderFailed))
            }
        }
        return passing
    }

    func refusal(of fault: RequestFault) -> ServerResponse { policy.refusal(of: fault) }

    /// Once: anyone who can connect could fill standard error.
    func foreignConnectionClosed(user: UInt32?) {
        guard !hasToldOfForeigner else { return }
        hasToldOfForeigner = true
        tell?("a connection of \(user.map { "user \($0)" } ?? "another user") was closed unread")
    }

    func acceptFailed(_ reason: String) { tell?("connections have to wait: \(reason)") }

    // MARK: What the exchanges share

    /// - Returns: false if there is no room for so many bytes more; then the caller holds none of them.
    fileprivate func reserve(_ count: Int) -> Bool {
        guard count <= collectedBytes - collected else { return false }
        collected += count
        return true
    }

    fileprivate func release(_ count: Int) { collected -= count }

    fileprivate func exchangeIsOver() { exchanges -= 1 }
}

/// One request of a client, and its way to the server and back.
final class FrontExchange: IncomingHandler, AuthorizedExchangeHandler {
    private enum State {
        /// The policy has not decided. Next: `collecting`, `sent`, `over`.
        case deciding
        /// The body is read into memory. Next: `sent`, `over`.
        case collecting(any FrontPassage, [UInt8], limit: Int, BridgeFailure?)
        /// Next: `answering`, `over`.
        case sent(any FrontPassage, body: [UInt8])
        case answering
        case over
    }

    private let head: RequestHead
    private let client: IncomingExchange
    private let upstream: any Upstream
    private let service: FrontService
    private var state = State.deciding
    private var server: (any AuthorizedExchange)?
    /// Of the client's body, held in memory.
    private var reserved = 0
    /// Parts that the connection to the server has not taken yet.
    private var writesUnderWay = 0
    private var answerIsPaused = false

    init(_ head: RequestHead, over client: IncomingExchange, upstream: any Upstream, service: FrontService) {
        self.head = head
        self.client = client
        self.upstream = upstream
        self.service = service
    }

    // MARK: The policy

    /// - Parameter failure: what the client is told instead of an answer, if that is known already.
    func admitted(by passage: any FrontPassage, _ failure: BridgeFailure? = nil) {
        guard case .deciding = state else { return }
        switch (passage.collectsBody, head.body) {
        case (nil, _) where failure != nil, (_, .none) where failure != nil: fail(passage, failure, body: [])
        case (_, .none): send(passage, passage.request.with(.none), body: [])
        case (let limit?, let body):
            if case .length(let length) = body, length > limit { return answer(service.refusal(of: .bodyTooLarge)) }
            state = .collecting(passage, [], limit: limit, failure)
            client.readsBody = true
        case (nil, let body):
            let length: Int? = if case .length(let length) = body { length } else { nil }
            send(passage, passage.request.with(.streamed(length: length)), body: [])
            // It may have failed at once.
            if case .sent = state { client.readsBody = true }
        }
    }

    private func fail(_ passage: any FrontPassage, _ failure: BridgeFailure?, body: [UInt8]) {
        if let failure { answer(passage.answer(to: failure, body: body)) }
    }

    private func send(_ passage: any FrontPassage, _ request: BridgeRequest, body: [UInt8]) {
        state = .sent(passage, body: body)
        let server = upstream.begin(request, account: passage.account, waitsForPerson: passage.waitsForPerson, handler: self)
        if case .over = state { return }
        self.server = server
        server.isPaused = answerIsPaused
    }

    // MARK: The client

    func bodyReceived(_ bytes: ByteBuffer) {
        switch state {
        case .collecting(let passage, var collected, let limit, let failure):
            guard bytes.readableBytes <= limit - collected.count else { return answer(service.refusal(of: .bodyTooLarge)) }
            guard service.reserve(bytes.readableBytes) else {
                return answer(
                    .sentence(
                        503, "too many large requests at once: their bodies wait in memory; try again later",
                        headers: [("Retry-After", "1")]))
            }
            reserved += bytes.readableBytes
            state = .deciding  // Releases the bytes, so that they are not copied.
            collected.append(contentsOf: bytes.readableBytesView)
            state = .collecting(passage, collected, limit: limit, failure)
        case .sent, .answering:
            guard let server else { return }
            writesUnderWay += 1
            client.readsBody = false
            server.write(bytes).assumeIsolated().whenComplete { _ in
                self.writesUnderWay -= 1
                // A write that failed is told by what becomes of the answer.
                if self.writesUnderWay == 0, !self.isOver { self.client.readsBody = true }
            }
        case .deciding, .over: break
        }
    }

    func bodyEnded() {
        switch state {
        case .collecting(let passage, let body, _, nil): send(passage, passage.request.with(.bytes(body)), body: body)
        case .collecting(let passage, let body, _, let failure): fail(passage, failure, body: body)
        case .sent, .answering: server?.endBody()
        case .deciding, .over: break
        }
    }

    func answerPaused(_ isPaused: Bool) {
        answerIsPaused = isPaused
        server?.isPaused = isPaused
    }

    func clientGone() {
        guard !isOver else { return }
        let server = server
        finish()
        server?.cancel()
    }

    // MARK: The server

    func answered(_ answer: BridgeAnswer) {
        guard case .sent(let passage, let body) = state else { return }
        // Before the policy takes the field away that names others.
        let own = BridgeAnswer(status: answer.status, headers: HopByHopFields.drop(from: answer.headers))
        switch passage.answer(to: own, body: body) {
        case .replaced(let response):
            let server = server
            self.answer(response)
            server?.cancel()
        case .passed(let passed):
            state = .answering
            // Of the answer as it came: the policy does not rewrite bodies.
            let length = answer.values(of: "Content-Length").first.flatMap { Int($0) }
            client.begin(
                status: passed.status,
                headers: passed.headers.filter { $0.name.lowercased() != "content-length" },
                length: length.flatMap { $0 >= 0 ? $0 : nil })
        }
    }

    func received(_ bytes: ByteBuffer) { if case .answering = state { client.write(bytes) } }

    func ended() {
        guard case .answering = state else { return }
        finish()
        client.end()
    }

    func failed(_ failure: BridgeFailure) {
        switch state {
        case .sent(let passage, let body): answer(passage.answer(to: failure, body: body))
        case .answering:
            finish()
            client.abort()
        case .deciding, .collecting, .over: break
        }
    }

    // MARK: -

    /// A whole answer, not the server's.
    func answer(_ response: ServerResponse) {
        guard !isOver else { return }
        finish()
        client.answer(response)
    }

    private var isOver: Bool { if case .over = state { true } else { false } }

    private func finish() {
        state = .over
        server = nil
        service.release(reserved)
        reserved = 0
        service.exchangeIsOver()
    }
}

extension BridgeRequest {
    fileprivate func with(_ body: Body) -> BridgeRequest {
        var request = self
        request.body = body
        return request
    }
}
