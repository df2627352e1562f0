import BridgeCore
import HTTPSClient
import NIOCore
import PosternClient
import PosternCore
import PosternInterface
import PosternValues

/// One request: authorized by the daemon, sent, and sent again where that is safe and may help.
final class DaemonExchange: AuthorizedExchange {
    private enum State {
        /// The daemon is asked.
        case authorizing
        /// A person is waited for; the number is the watch's.
        case waiting(Int, Scheduled<Void>)
        /// Its answer has not come, or was not the last.
        case sending(StreamedExchange)
        /// The answer is being passed on.
        case answered(StreamedExchange)
        case over
    }

    /// What a request was sent with.
    private struct Authorization {
        var headers: [(name: String, value: String)]
        var providerID: String

        var token: String? { headers.first { $0.name.isEqualIgnoringCase("Authorization") }?.value }
    }

    private let request: BridgeRequest
    /// What is sent, but for what authorizes it.
    private lazy var message: StreamedRequest = {
        var message = StreamedRequest(
            method: request.method, url: request.url, headers: request.headers, body: StreamedRequest.Body(request.body))
        message.prepare()
        return message
    }()
    private let account: String?
    private let personDeadline: NIODeadline
    private let upstream: DaemonUpstream
    private var handler: (any AuthorizedExchangeHandler)?
    private var rule = RetryRule()
    private var state = State.authorizing
    private var authorization: Authorization?
    /// Of a streamed body, what was given before it could be passed on.
    private var held: [(bytes: ByteBuffer, taken: EventLoopPromise<Void>)] = []
    private var isBodyComplete = false
    /// Some of a streamed body was passed on, and cannot be had again.
    private var isBodySpent = false
    private var hasTold = false

    var isPaused = false {
        didSet {
            switch state {
            case .sending(let exchange), .answered(let exchange): exchange.isPaused = isPaused
            case .authorizing, .waiting, .over: break
            }
        }
    }

    var isSent: Bool {
        switch state {
        case .sending, .answered: true
        case .authorizing, .waiting, .over: false
        }
    }

    init(
        _ request: BridgeRequest, account: String?, personDeadline: NIODeadline, upstream: DaemonUpstream,
        handler: any AuthorizedExchangeHandler
    ) {
        self.request = request
        self.account = account
        self.personDeadline = personDeadline
        self.upstream = upstream
        self.handler = handler
    }

    func start() {
        guard case .authorizing = state else { return }
        authorize(after: nil) { self.send($0) }
        // Behind the call, while the daemon works.
        upstream.eventLoop.assumeIsolated().execute { _ = self.message }
    }

    // MARK: The request's body

    func write(_ bytes: ByteBuffer) -> EventLoopFuture<Void> {
        switch state {
        case .sending(let exchange), .answered(let exchange):
            isBodySpent = true
            return exchange.write(bytes)
        case .authorizing, .waiting:
            let taken = upstream.eventLoop.makePromise(of: Void.self)
            held.append((bytes, taken))
            return taken.futureResult
        case .over: return upstream.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
    }

    func endBody() {
        isBodyComplete = true
        switch state {
        case .sending(let exchange), .answered(let exchange): exchange.endBody()
        case .authorizing, .waiting, .over: break
        }
    }

    func cancel() { finish() }

    private func passOnBody(to exchange: StreamedExchange) {
        let held = held
        self.held = []
        if !held.isEmpty { isBodySpent = true }
        for (bytes, taken) in held { exchange.write(bytes).cascade(to: taken) }
        if isBodyComplete { exchange.endBody() }
    }

    // MARK: Authorizing

    /// - Parameter refusal: what the server answered to the last authorization.
    private func authorize(after refusal: RetryRule.Refusal?, then done: @escaping (Authorization) -> Void) {
        state = .authorizing
        let nonce = refusal?.nonce ?? upstream.nonces.nonce(for: request.url)
        let call = Interface.AuthorizeRequest(
            method: request.method, url: request.url, providerID: account, dpopNonce: nonce.flatMap { DPoPNonces.isNonce($0) ? $0 : nil },
            challenge: refusal.map(\.challenge))
        upstream.link.call(call, isRepeatable: true) { result in
            guard case .authorizing = self.state else { return }
            switch result {
            case .success(let reply):
                done(
                    Authorization(
                        headers: reply.headers.map { ($0.key, $0.value.reveal()) }.sorted { $0.0 < $1.0 }, providerID: reply.providerID))
            case .failure(let error): self.denied(error, after: refusal, then: done)
            }
        }
    }

    private func denied(_ error: PosternError, after refusal: RetryRule.Refusal?, then done: @escaping (Authorization) -> Void) {
        let failure = BridgeFailure(error, mayHaveReachedServer: refusal != nil)
        if upstream.isInteractive, let provider = error.missingSignIn {
            upstream.signIns.begin(account ?? provider, challenge: refusal?.challenge) { [weak self] in self?.signInFailed($0) }
        }
        guard error.isOverWithPerson, .now() < personDeadline else { return fail(failure) }
        let number = upstream.watch.add {
            guard case .waiting(_, let end) = self.state else { return }
            end.cancel()
            self.authorize(after: refusal, then: done)
        }
        let end = upstream.eventLoop.assumeIsolated().scheduleTask(deadline: personDeadline) {
            guard case .waiting = self.state else { return }
            self.fail(failure)
        }
        state = .waiting(number, end)
        guard !hasTold else { return }
        hasTold = true
        upstream.waits?(failure)
    }

    /// The sign-in that was begun for this request.
    private func signInFailed(_ error: PosternError) {
        guard case .waiting = state else { return }
        var failure = BridgeFailure(error, mayHaveReachedServer: authorization != nil)
        failure.kind = .personNeeded
        fail(failure)
    }

    // MARK: Sending

    private func send(_ authorization: Authorization, onNewConnection: Bool = false) {
        self.authorization = authorization
        upstream.routes.find(account: account, url: request.url) { result in
            guard case .authorizing = self.state else { return }
            switch result {
            case .success(let route): self.open(authorization, by: route, onNewConnection: onNewConnection)
            case .failure(let error): self.fail(BridgeFailure(error))
            }
        }
    }

    private func open(_ authorization: Authorization, by route: RouteTable.Route, onNewConnection: Bool) {
        message.lateHeaders = authorization.headers
        message.authorities = route.authorities
        // A server that ignores such a body would read it as the connection's next request.
        message.keepsConnection = !onNewConnection && (["POST", "PUT", "PATCH"].contains(request.method) || !request.hasBody)
        rule.sent()
        let exchange = route.client.open(message, handler: self)
        exchange.isPaused = isPaused
        state = .sending(exchange)
        passOnBody(to: exchange)
    }

    private var canRepeat: Bool {
        if case .streamed = request.body { !isBodySpent } else { true }
    }

    // MARK: Ends

    private func fail(_ failure: BridgeFailure) {
        let handler = handler
        finish()
        handler?.failed(failure)
    }

    /// Nothing is reported any more.
    private func finish() {
        handler = nil
        let (ended, held) = (state, held)
        (state, self.held) = (.over, [])
        switch ended {
        case .waiting(let number, let end):
            end.cancel()
            upstream.watch.remove(number)
        case .sending(let exchange), .answered(let exchange): exchange.cancel()
        case .authorizing, .over: break
        }
        for (_, taken) in held { taken.fail(ChannelError.ioOnClosedChannel) }
    }
}

// MARK: - Answers

extension DaemonExchange: StreamedExchangeHandler {
    func answered(_ head: StreamedAnswer) {
        guard case .sending(let exchange) = state else { return }
        let answer = BridgeAnswer(status: head.status, headers: head.headers)
        upstream.nonces.answered(ProviderResponse(status: head.status, headers: head.headers, body: []), from: request.url)
        switch rule.answered(answer, canRepeat: canRepeat) {
        case .pass:
            state = .answered(exchange)
            let answer = answer.striking(authorization?.headers ?? [])
            authorization = nil
            handler?.answered(answer)
        case .authorize(let refusal):
            exchange.cancel()
            authorizeAgain(after: refusal) { self.send($0) }
        case .authorizeNext(let refusal):
            exchange.cancel()
            authorizeAgain(after: refusal) { _ in
                self.fail(
                    BridgeFailure(
                        .interrupted,
                        "the server refused the token, and another one was not tried because the request's body cannot be sent twice; "
                            + "send the request again"))
            }
        case .refused:
            exchange.cancel()
            refusedForGood()
        }
    }

    private func authorizeAgain(after refusal: RetryRule.Refusal, then done: @escaping (Authorization) -> Void) {
        let refused = authorization?.token
        authorize(after: refusal) { authorization in
            // The daemon has no other token: what would be sent is what was refused.
            guard refusal.isAboutProof || authorization.token != refused else { return self.refusedForGood() }
            done(authorization)
        }
    }

    private func refusedForGood() {
        let name = account ?? authorization?.providerID ?? "NAME"
        reportRefusal()
        fail(
            BridgeFailure(
                .personNeeded, "the server refuses the token of \(name), and a renewed one did not help; run `postern sign-in \(name)`",
                mayHaveReachedServer: true))
    }

    /// So that the daemon finds out whether the token is still valid, and shows the account as one that needs a sign-in if it is not.
    private func reportRefusal() {
        guard let value = authorization?.token, let token = value.parts(separator: " ").last else { return }
        upstream.link.call(Interface.ReportRefusedToken(url: request.url, accessToken: Secret(String(token)))) { _ in }
    }

    func received(_ bytes: ByteBuffer) {
        guard case .answered = state else { return }
        handler?.received(bytes)
    }

    func ended() {
        guard case .answered = state else { return }
        let handler = handler
        (self.handler, state) = (nil, .over)
        handler?.ended()
    }

    func failed(_ error: HTTPSClientError) {
        switch state {
        case .answered:
            state = .over
            fail(BridgeFailure(.interrupted, "\(error)", mayHaveReachedServer: true))
        case .sending:
            let verdict = rule.failed(
                isClosedConnection: error.kind == .connectionClosed, mayHaveReachedServer: error.mayHaveReachedServer, canRepeat: canRepeat)
            state = .authorizing
            switch verdict {
            case .connectAnew:
                if let authorization { send(authorization, onNewConnection: true) }
            case .fail(let kind):
                if kind == .unreachable { upstream.routes.forgetAll() }
                fail(BridgeFailure(kind, "\(error)", mayHaveReachedServer: error.mayHaveReachedServer))
            }
        case .authorizing, .waiting, .over: break
        }
    }
}

extension StreamedRequest.Body {
    fileprivate init(_ body: BridgeRequest.Body) {
        self =
            switch body {
            case .none: .none
            case .bytes(let bytes): .bytes(bytes)
            case .streamed(let length): .streamed(length: length)
            }
    }
}
