import Testing

@testable import PosternCore

/// What stands around the table of sign-ins: it does what it is told, and answers when a test says so. No clock, no disk, no network.
final class SignInWorld {
    /// What a program was told last.
    enum LastWord: Equatable {
        case failed(SignInFailure)
        case locked(isOnDisk: Bool)
        case result(SignInOutcome)
    }

    static let binding = ProviderBinding(clientID: "client", authority: "https://as.example")
    static let path = "/__/auth/handler"
    static let device = DeviceAuthorization(
        deviceCode: Secret("d-1"), userCode: "WDJB", verificationURI: "https://as.example/go", expiresAt: now.adding(seconds: 900), intervalSeconds: 5)
    static let grant = Grant(accessToken: Secret("token"), tokenType: "bearer", refreshToken: Secret("r"), scopes: [], obtainedAt: now, tokenSecret: Secret("s"))
    static let completed = CompletedSignIn(
        grant: grant, profile: ProviderProfile(identity: Identity(providerID: "work", subject: "1", displayName: "Ada"), document: ["a": 1]),
        proof: Proof(.page, seenAt: now),
        rawNonce: nil, user: nil, isNewUser: false)

    var signIns = SignIns()
    var time = now
    /// What was begun and has not been answered.
    var open: [SignInAction] = []
    /// What was done at once, and what was begun, in order.
    var done: [SignInAction] = []
    var progress: [WaiterID: [SignInProgress]] = [:]
    var lastWords: [WaiterID: [LastWord]] = [:]
    /// Programs that are there.
    var present: Set<WaiterID> = []
    var opened: [Secret] = []

    func perform(_ actions: [SignInAction]) {
        for action in actions {
            done.append(action)
            switch action {
            case .tell(let waiter, let told): if present.contains(waiter) { progress[waiter, default: []].append(told) }
            case .fail(let waiters, _, let failure): for waiter in waiters { say(.failed(failure), to: waiter) }
            case .refuse(let waiters, _, let isOnDisk): for waiter in waiters { say(.locked(isOnDisk: isOnDisk), to: waiter) }
            case .prepare, .makePage, .getCode, .poll, .exchange, .keep, .openPage, .deliver, .write: open.append(action)
            case .takeBack, .discard, .delete, .wakePages, .note: break
            }
        }
    }

    private func say(_ word: LastWord, to waiter: WaiterID) {
        guard present.remove(waiter) != nil else { return }
        lastWords[waiter, default: []].append(word)
    }

    /// The oldest thing of that kind that was begun and not answered.
    func take<Value>(_ pick: (SignInAction) -> Value?) throws -> Value {
        for (index, action) in open.enumerated() {
            if let value = pick(action) {
                open.remove(at: index)
                return value
            }
        }
        throw Missing()
    }

    struct Missing: Error {}

    // MARK: Programs

    static func request(_ app: String = "default", scopes: [String] = ["openid", "email"], hint: String? = nil) -> SignInRequest {
        SignInRequest(providerID: "work", intent: .signIn, app: AppName(app), scopes: scopes, loginHint: hint)
    }

    static func session(
        _ id: String, app: String = "default", at start: Timestamp = now, redirectURI: String = "http://127.0.0.1:7678\(path)", relayedTo: String? = nil
    )
        -> SignInSession
    {
        SignInSession(
            id: id, request: request(app), binding: binding, requester: "tool", startedAt: start, redirectURI: redirectURI, relayedTo: relayedTo, pageID: "page-\(id)")
    }

    func waiter(_ flow: ProviderFlow? = .browser, _ presenter: PagePresenter? = .client, listens: Bool = true, seconds: Int64? = 600, requester: String? = nil) -> SignInWaiter {
        let deadline = seconds.map { time.adding(seconds: $0) }
        let waiter = signIns.newWaiter(for: flow, presenter: presenter, wantsEveryEvent: listens, deadline: deadline, requester: requester)
        present.insert(waiter.id)
        return waiter
    }

    /// A program asks; it joins where its question waits already.
    @discardableResult
    func ask(
        _ id: String = "a", app: String = "default", by flow: ProviderFlow = .browser, shownBy presenter: PagePresenter? = .client, listens: Bool = true,
        seconds: Int64 = 600, requester: String? = nil, secrets: FlowSecrets = FlowSecrets(codeVerifier: Secret("v"), nonce: Secret("n"))
    ) -> WaiterID {
        let waiter = waiter(flow, flow == .device ? nil : presenter, listens: listens, seconds: seconds, requester: requester)
        switch signIns.opening(for: Self.request(app), by: flow, now: time) {
        case .join(let id): perform(signIns.change(id: id) { $0.joined(waiter, now: time) } ?? [])
        // It waits already, in another way: this one is added.
        case .start where signIns[id] != nil:
            if case .waits(let actions)? = signIns.change(id: id, { $0.attached(waiter, now: time) }) { perform(actions) }
        case .start:
            perform(signIns.began(Self.session(id, app: app, at: time), secrets: secrets, by: flow, expiresAt: time.adding(seconds: seconds), waiter: waiter))
        case .tooManySessions: Issue.record("too many")
        }
        return waiter.id
    }

    func leave(_ waiter: WaiterID) {
        present.remove(waiter)
        perform(signIns.waiterLeft(waiter))
    }

    /// - Returns: nil if it does not wait now.
    @discardableResult
    func attach(_ id: String = "a", _ presenter: PagePresenter? = nil) -> (waiter: WaiterID?, verdict: AttachVerdict) {
        let waiter = waiter(nil, presenter, seconds: nil)
        let verdict = signIns.change(id: id) { $0.attached(waiter, now: time) } ?? .unknown
        guard case .waits(let actions) = verdict else {
            present.remove(waiter.id)
            return (nil, verdict)
        }
        perform(actions)
        return (waiter.id, verdict)
    }

    @discardableResult
    func cancel(_ id: String = "a") -> CancelVerdict {
        let verdict = signIns.change(id: id) { $0.cancelled(now: time) } ?? .unknown
        if case .ends(let actions) = verdict { perform(actions) }
        return verdict
    }

    // MARK: The provider

    static func page(_ url: String = "https://as.example/?state=s", key: [UInt8]? = [1], expiresAt: Timestamp? = nil, requestToken: OAuth1Token? = nil) -> MadePage {
        MadePage(page: AuthorizationPage(url: url, expiresAt: expiresAt), key: key, requestToken: requestToken)
    }

    func prepare(_ way: PreparedWay = .page(page())) throws {
        let ticket = try take { if case .prepare(let ticket, _, _) = $0 { ticket } else { nil } }
        perform(signIns.prepared(ticket, way, binding: Self.binding, now: time))
    }

    /// Up to the moment at which the user is waited for.
    func wait(_ way: PreparedWay = .page(page())) throws {
        try prepare(way)
        try store()
    }

    /// A sign-in that waits for a page, or for a code.
    func waiting(_ id: String = "a", by flow: ProviderFlow = .browser) throws -> WaiterID {
        let waiter = ask(id, by: flow)
        try wait(flow == .browser ? .page(Self.page()) : .code(Self.device))
        return waiter
    }

    func makePage(_ made: MadePage) throws {
        let renewal = try take { if case .makePage(let renewal) = $0 { renewal } else { nil } }
        perform(signIns.pageMade(made, for: renewal, now: time))
    }

    func giveCode(_ device: DeviceAuthorization = device) throws {
        let ticket = try take { if case .getCode(let ticket) = $0 { ticket } else { nil } }
        perform(signIns.change(ticket) { $0.codeGiven(device) })
    }

    /// A callback arrives; who brought it is answered with the verdict.
    @discardableResult
    func callback(key: [UInt8] = [1], place: String = path, digest: [UInt8] = [9], query: String = "code=c") throws -> CallbackVerdict {
        let callback = SignInCallback(place: place, parameters: try CallbackParameters(parsing: query.utf8), key: key, digest: digest)
        let verdict = signIns.callbackArrived(callback, now: time)
        if case .taken(_, let actions) = verdict { perform(actions) }
        return verdict
    }

    /// The moment of the next question to the token endpoint comes.
    func poll() throws {
        time = try #require(signIns.nextDeadline)
        perform(signIns.timePassed(now: time))
    }

    func answerPoll(_ answer: DeviceAnswer) throws {
        let request = try take { if case .poll(let request) = $0 { request } else { nil } }
        perform(signIns.change(request.ticket) { $0.pollAnswered(answer, now: time) })
    }

    func exchange(failure: ProviderFailure? = nil) throws {
        let ticket = try take { if case .exchange(let ticket, _, _) = $0 { ticket } else { nil } }
        perform(
            signIns.change(ticket) { signIn in
                failure.map { signIn.exchangeFailed($0, now: time) } ?? signIn.exchanged(Self.completed, now: time)
            })
    }

    /// A callback, and what comes of its code.
    func redeem() throws {
        try callback()
        try mark()
        try exchange()
    }

    // MARK: The disk

    func store(failure: ProviderFailure? = nil) throws {
        let ticket = try take {
            switch $0 {
            case .write(let ticket, .begin), .write(let ticket, .extend(_, for: nil)): ticket
            default: nil
            }
        }
        perform(signIns.change(ticket) { $0.stored(failure: failure, now: time) })
    }

    func extend(failure: ProviderFailure? = nil) throws {
        let (ticket, waiter) = try take { if case .write(let ticket, .extend(_, for: let waiter?)) = $0 { (ticket, waiter) } else { nil } }
        perform(signIns.change(ticket) { $0.extended(for: waiter, failure: failure, now: time) })
    }

    func storePage() throws {
        let (made, renewal) = try take { if case .write(_, .page(let made, let renewal, _, _)) = $0 { (made, renewal) } else { nil } }
        perform(signIns.change(renewal.ticket) { $0.pageStored(made, for: renewal) })
    }

    func storeCode() throws {
        let (ticket, device) = try take { if case .write(let ticket, .newCode(let device, _)) = $0 { (ticket, device) } else { nil } }
        perform(signIns.change(ticket) { $0.codeStored(device, now: time) })
    }

    func mark(failure: ProviderFailure? = nil) throws {
        let ticket = try take { if case .write(let ticket, .exchanging) = $0 { ticket } else { nil } }
        perform(signIns.change(ticket) { $0.exchangingMarked(failure: failure, now: time) })
    }

    func keep(_ outcome: SignInOutcome = .completed(completed), failure: SignInFailure? = nil) throws {
        let ticket = try take { if case .keep(let ticket, _, _, _) = $0 { ticket } else { nil } }
        perform(
            signIns.change(ticket) { signIn in
                failure.map { signIn.notKept(Self.completed, $0, now: time) } ?? signIn.kept(outcome, now: time)
            })
    }

    func storeEnd() throws {
        let ticket = try take { if case .write(let ticket, .end) = $0 { ticket } else { nil } }
        perform(signIns.change(ticket) { $0.endStored() })
    }

    /// Everybody who is to get the result and is still there gets it.
    func deliver() throws {
        let delivery = try take { if case .deliver(let delivery) = $0 { delivery } else { nil } }
        let reached = delivery.waiters.filter(present.contains)
        for waiter in reached { say(.result(delivery.outcome), to: waiter) }
        perform(signIns.change(delivery.ticket) { $0.delivered(isReceived: !reached.isEmpty) })
    }

    // MARK: What came of it

    var notes: [SignInNote] { done.compactMap { if case .note(_, let note) = $0 { note } else { nil } } }
    var takenBack: [Grant] { done.compactMap { if case .takeBack(let grant, _) = $0 { grant } else { nil } } }
    var discarded: [CompletedSignIn] { done.compactMap { if case .discard(let completed, _) = $0 { completed } else { nil } } }
    var deleted: [String] { done.flatMap { action -> [String] in if case .delete(let ids) = action { ids } else { [] } } }
    func count(_ isMeant: (SignInAction) -> Bool) -> Int { done.count(where: isMeant) }
    var exchanges: Int { count { if case .exchange = $0 { true } else { false } } }
    var polls: Int { count { if case .poll = $0 { true } else { false } } }
    func phase(_ id: String = "a") -> SignInSession.Phase? { signIns[id]?.phase }
}

extension SignIns {
    /// What a provider was asked has yet to come back and be kept, or an answer has yet to be told.
    var hasAnswersOut: Bool { machines.values.contains(where: \.hasAnswerOut) }
}

extension SignInMachine {
    /// A provider was asked and what it answers has yet to be kept, or somebody's answer has yet to be told.
    var hasAnswerOut: Bool {
        switch state {
        case .preparing, .over: false
        case .pending(let pending): pending.isAsked
        case .exchanging, .keeping: true
        case .ended(let ended):
            switch ended.step {
            case .recording, .delivering: true
            case .waiting, .settled: false
            }
        }
    }
}
