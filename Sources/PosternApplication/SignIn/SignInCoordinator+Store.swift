import PosternCore
import PosternInterface

/// What is on disk of a sign-in. The result of each write is the next event.
extension SignInCoordinator {
    /// - Returns: why it could not be written.
    func write(_ write: SignInWrite, of ticket: SignInTicket) async -> StoreError? {
        let id = ticket.session.id
        var problem: StoreError?
        var wasPending = true
        do throws(StoreError) {
            let store = try store.opened()
            switch write {
            case .begin(let signIn): try await store.begin(signIn)
            case .extend(let until, _), .prolong(let until): try await store.extend(sessionID: id, until: until)
            case .page(let made, _, let secrets, let device):
                if let key = made.key, made.requestToken != nil {
                    try await store.addRequestToken(secrets, device: device, key: key, to: id)
                } else if let key = made.key {
                    try await store.addState(hash: key, to: id)
                }
            case .newCode(let device, let secrets): try await store.keep(secrets, device: device, of: id)
            case .code(let device, let secrets): try await store.keep(secrets, device: device, of: id)
            case .exchanging: wasPending = try await store.markExchanging(sessionID: id)
            case .end(let failure): try await store.finish(sessionID: id, outcome: .failed(failure), changes: nil, expiresAt: nil)
            case .delivered: _ = try await store.markDelivered(sessionID: id)
            }
        } catch { problem = error }
        written(write, of: ticket, wasPending: wasPending, problem)
        return problem
    }

    /// What follows from it. Where nothing depends on it, a problem is only reported.
    private func written(_ write: SignInWrite, of ticket: SignInTicket, wasPending: Bool, _ problem: StoreError?) {
        func failure(_ what: String) -> ProviderFailure? { problem.map { ProviderFailure($0, what) } }
        func report(_ what: String) {
            if let problem { events.report(.storeProblem, "\(what) could not be saved: \(problem)", level: .warning) }
        }
        switch write {
        case .begin(let signIn):
            // A reload may have given the name to another provider meanwhile.
            let failure = failure("the sign-in could not be saved") ?? unbound(signIn.session)
            happened(to: ticket) { $0.stored(failure: failure, now: $1) }
        case .extend(_, let waiter):
            let failure = failure("the longer timeout of a sign-in could not be saved")
            happened(to: ticket) { signIn, now in
                waiter.map { signIn.extended(for: $0, failure: failure, now: now) } ?? signIn.stored(failure: failure, now: now)
            }
        case .page(let made, let renewal, _, _):
            let failure = failure("the new page could not be saved")
            happened(to: ticket) { signIn, now in
                failure.map { signIn.pageNotMade(renewal, $0, now: now) } ?? signIn.pageStored(made, for: renewal)
            }
        case .newCode(let device, _):
            let failure = failure("the code could not be saved")
            happened(to: ticket) { signIn, now in failure.map { signIn.codeNotGiven($0) } ?? signIn.codeStored(device, now: now) }
        case .prolong: report("the time of a sign-in after the clock was set")
        case .code: report("a code that changed")
        case .exchanging:
            let failure =
                failure("the answer could not be saved, so its code was not used")
                ?? (wasPending ? nil : .internal(message: "the sign-in was already answered"))
            happened(to: ticket) { $0.exchangingMarked(failure: failure, now: $1) }
        case .end:
            report("the end of a sign-in")
            happened(to: ticket) { signIn, _ in signIn.endStored() }
        case .delivered: report("the delivery of a result")
        }
    }

    func delete(_ ids: [String]) async {
        do { try await store.opened().deleteSessions(ids: ids) } catch {
            events.report(.storeProblem, "finished sign-ins could not be removed: \(error)", level: .warning)
        }
    }

    // MARK: The result

    /// The provider's answer passed every check: the account rules decide, and everything is written in one transaction.
    func keep(_ completed: CompletedSignIn, expiresAt: Timestamp, isAbandoned: Bool, _ ticket: SignInTicket) async {
        let session = ticket.session
        let request = session.request
        let identity = completed.profile.identity
        guard let standing = providers.directory.standing(completed, boundTo: session.binding, for: request.app) else {
            // A reload came while the provider was asked.
            let name = request.account ?? providers.directory.displayName(identity.providerID)
            let failure = unbound(session) ?? .providerNotConfigured(message: "\(name) \(StandingCredential.problem)")
            return happened(to: ticket) { $0.notKept(completed, .provider(failure), now: $1) }
        }
        do throws(AccountFailure) {
            let verdict = try await verdict(on: completed.profile, for: request)
            let outcome: SignInOutcome
            if let stepUp = request.stepUp, let failure = try await failure(of: stepUp, completed, for: request) {
                return happened(to: ticket) { $0.notKept(completed, failure, now: $1) }
            } else if verdict == .other {
                let other = SignInFailure.otherAccount(
                    asked: Self.shown(request.loginHint), signedIn: ExpectedAccount.name(of: identity))
                return happened(to: ticket) { $0.notKept(completed, other, now: $1) }
            } else if verdict == .unsure, request.login != nil {
                // The person is asked; the credential goes with the question.
                let refusal = AccountRefusal.accountNotConfirmed(
                    login: Self.shown(request.login?.text), account: ExpectedAccount.name(of: identity), subject: identity.subject)
                outcome = .refused(refusal, completed)
                try await end(session, outcome, completed, expiresAt: expiresAt)
            } else if request.intent == .credential {
                outcome = .completed(completed)
                try await end(session, outcome, completed, expiresAt: expiresAt)
            } else {
                let generation = providers.loader.generation
                let credential: StoredCredential?
                if let intent = request.intent {
                    let settled = try await accounts.settle(
                        .session(session, standing, expiresAt: expiresAt, isAbandoned: isAbandoned), intent: intent, app: request.app)
                    guard let settled else { throw .internal(message: "the sign-in was settled without an outcome") }
                    (outcome, credential) = (settled.outcome, settled.credential)
                } else {
                    (outcome, credential) = try await keepForPerson(standing, of: session, expiresAt: expiresAt)
                }
                // A refusal may have kept the credential too, if it could not be determined who signed in.
                await providers.loader.signedIn(identity, credential, since: generation)
            }
            happened(to: ticket) { $0.kept(outcome, now: $1) }
            ownersMayHaveEnded()
        } catch {
            happened(to: ticket) { $0.notKept(completed, failure(error, app: request.app), now: $1) }
        }
    }

    /// Why a step-up changes nothing: it brought less than a server demands, or less than the account has.
    private func failure(
        of stepUp: StepUp, _ completed: CompletedSignIn, for request: SignInRequest
    ) async throws(AccountFailure) -> SignInFailure? {
        let identity = completed.profile.identity
        if let subject = stepUp.subject, !subject.isSame(identity.subject) {
            return .otherAccount(asked: Self.shown(request.loginHint ?? subject), signedIn: ExpectedAccount.name(of: identity))
        }
        // As it is now: another step-up may have ended meanwhile.
        let held = try await store.ask { store throws(StoreError) in
            try await store.credential(providerID: identity.providerID, subject: identity.subject)
        }
        // With nothing stored there is nothing to lose, and the server's next answer decides.
        guard held != nil || request.intent != nil else { return nil }
        let missing = stepUp.lacking(
            in: completed.grant, beside: request.intent == .credential ? nil : held?.grant,
            dialect: providers.directory[identity.providerID]?.dialect ?? StandardDialect())
        return missing.isEmpty ? nil : .notGranted(missing: missing)
    }

    /// Ends a sign-in whose account is stored for the person. It concerns no user of any app, so no rule about users can refuse it.
    private func keepForPerson(
        _ standing: StandingCredential, of session: SignInSession, expiresAt: Timestamp
    ) async throws(AccountFailure) -> (outcome: SignInOutcome, credential: StoredCredential?) {
        let now = platform.now
        let spending = platform.spending(of: standing.completed)
        return try await store.forAccounts.finish(sessionID: session.id, expiresAt: expiresAt) { accounts throws(AccountFailure) in
            var changes = try accounts.keeping(standing, now: now)
            changes.spends = spending
            return (.kept(standing.completed.withoutSecrets), changes)
        }
    }

    /// What becomes of an account of which the person says that it is the one that a name means.
    enum Confirmation {
        case kept(Interface.StoredCredential, sessionID: String)
        /// By now the name certainly means another one.
        case other(SignInFailure.Ending)
    }

    /// Keeps an account that the person said is the one that a name means. Whether it can be is decided now: since the question was asked,
    /// the account that is certainly meant may have signed in, or another question may have been answered.
    ///
    /// - Parameter handle: of the sign-in under that name, which could not tell.
    /// - Returns: nil if the handle is unknown, used or expired, is of another sign-in, or must not be used any more.
    func keep(_ handle: Secret, as name: SignInName) async throws(AccountFailure) -> Confirmation? {
        guard let standing = try await providers.directory.standing(handle: handle.reveal(), for: ""),
            let asked = standing.completed.signedInAs, asked.name == name.name, asked.login == name.login, let login = name.login
        else { return nil }
        let sessionID = try platform.newSignInID()
        let (now, cryptography, identity) = (platform.now, platform.cryptography, standing.completed.profile.identity)
        let question = AskedAccount(
            name: name.name, login: login, hint: login.text, isUserName: standing.provider.dialect.isUserName(login.text))
        let isKept = try await store.forAccounts.change(handle: handle.reveal(), now: now) { _, accounts throws(AccountFailure) in
            let verdict = question.verdict(
                on: identity, among: try accounts.credentials(providerID: identity.providerID),
                users: try accounts.identities(providerID: identity.providerID, meantBy: login.text))
            guard verdict != .other else { return (false, AccountChanges()) }
            var changes = try accounts.keeping(standing, now: now)
            changes.spends = AccountChanges.Spending(of: standing.completed, now: now, cryptography: cryptography)
            return (true, changes)
        }
        guard let isKept else { return nil }
        let key = CredentialKey(identity)
        guard isKept else {
            providers.revocation.discard(standing.completed.grant, of: identity, boundTo: standing.binding)
            var ending = SignInFailure.Ending(.otherAccount)
            (ending.asked, ending.signedIn) = (Self.shown(login.text), ExpectedAccount.name(of: identity))
            return .other(ending)
        }
        await providers.loader.changed(identity)
        events.report(
            .signInCompleted, "the account \(name.name) at \(providers.directory.displayName(key.providerID)) was confirmed",
            providerID: key.providerID)
        return await account(key).map { .kept($0, sessionID: sessionID) }
    }

    /// The stored account, as programs see it; nil if it is no longer there.
    func account(_ key: CredentialKey) async -> Interface.StoredCredential? {
        await providers.loader.read { _ = providers.cache[key] }
        guard let credential = providers.cache[key], let states else { return nil }
        return states.described(credential, as: states.named(credential))
    }

    /// Ends a sign-in that changes no account.
    private func end(
        _ session: SignInSession, _ outcome: SignInOutcome, _ completed: CompletedSignIn, expiresAt: Timestamp
    ) async throws(AccountFailure) {
        var changes = AccountChanges()
        // A program that asked for the credential alone signs in with its parts or its handle, whichever it likes.
        if session.request.intent != .credential { changes.spends = platform.spending(of: completed) }
        try await store.ask { [changes] store throws(StoreError) in
            try await store.finish(sessionID: session.id, outcome: outcome, changes: changes, expiresAt: expiresAt)
        }
    }

    private func failure(_ error: AccountFailure, app: AppName) -> SignInFailure {
        let what = "the credential could not be saved"
        if case .store(let problem) = error { return .provider(ProviderFailure(problem, what)) }
        return .provider(
            .internal(message: "\(what): \(InterfaceError(error, app: app, providerName: providers.directory.displayName).message)"))
    }

    /// Whether the account is the one that was requested; it is if none was.
    private func verdict(
        on profile: ProviderProfile, for request: SignInRequest
    ) async throws(AccountFailure) -> ExpectedAccount.Verdict {
        // Where the provider says nothing about the person, there is nothing to compare with a hint.
        guard let hint = request.loginHint, profile.namesPerson else { return .asked }
        let identity = profile.identity
        let users = try await store.ask { store throws(StoreError) in
            try await store.identities(providerID: identity.providerID, meantBy: hint)
        }
        await providers.loader.read { _ = providers.cache.credentials(providerID: identity.providerID) }
        let isUserName = providers.directory[identity.providerID]?.dialect.isUserName(hint) ?? false
        return AskedAccount(name: request.account, login: request.login, hint: hint, isUserName: isUserName)
            .verdict(on: identity, among: providers.cache.credentials(providerID: identity.providerID), users: users)
    }

    private static func shown(_ hint: String?) -> String {
        hint.flatMap { ProviderText.cleaned($0, longest: ProviderText.longestName) } ?? "another account"
    }
}

extension AccountReading where Self: ~Copyable {
    /// The changes that keep an account for the person.
    fileprivate func keeping(_ standing: StandingCredential, now: Timestamp) throws(AccountFailure) -> AccountChanges {
        let identity = standing.completed.profile.identity
        let held = try credential(providerID: identity.providerID, subject: identity.subject)
        return AccountChanges(credential: CredentialWrite(of: standing, for: .person, beside: held, now: now))
    }
}

extension ProviderFailure {
    /// - Parameter what: could not be done.
    fileprivate init(_ problem: StoreError, _ what: String) {
        let message = "\(what): \(problem)"
        self = problem.isLock ? .storeLocked(message: message) : .storeUnavailable(message: message)
    }
}
