import PosternCore
import PosternInterface

/// What is on disk of a sign-in. The result of each write is the next event.
extension SignInCoordinator {
    /// - Returns: why it could not be written.
    func write(_ write: SignInWrite, of ticket: SignInTicket) async -> StoreError? {
        let id = ticket.sessionID
        let problem: StoreError?
        switch write {
        case .begin(let signIn):
            problem = await kept { store throws(StoreError) in try await store.begin(signIn) }
            // A reload may have given the name to another provider meanwhile.
            let failure = Self.failure("the sign-in could not be saved", problem) ?? unbound(signIn.session)
            happened { $0.stored(ticket, failure: failure, now: $1) }
        case .extend(let until, let waiter):
            problem = await kept { store throws(StoreError) in try await store.extend(sessionID: id, until: until) }
            let failure = Self.failure("the longer timeout of a sign-in could not be saved", problem)
            happened { signIns, now in
                guard let waiter else { return signIns.stored(ticket, failure: failure, now: now) }
                return signIns.extended(ticket, for: waiter, failure: failure, now: now)
            }
        case .page(let made, let renewal, let secrets, let device):
            problem = await kept { store throws(StoreError) in
                guard let key = made.key else { return }
                guard made.requestToken != nil else { return try await store.addState(hash: key, to: id) }
                try await store.addRequestToken(secrets, device: device, key: key, to: id)
            }
            let failure = Self.failure("the new page could not be saved", problem)
            happened { signIns, now in
                failure.map { signIns.pageNotMade(renewal, $0, now: now) } ?? signIns.pageStored(made, for: renewal)
            }
        case .newCode(let device, let secrets):
            problem = await kept { store throws(StoreError) in try await store.keep(secrets, device: device, of: id) }
            let failure = Self.failure("the code could not be saved", problem)
            happened { signIns, now in
                failure.map { signIns.codeNotGiven(ticket, $0) } ?? signIns.codeStored(ticket, device, now: now)
            }
        case .code(let device, let secrets):
            problem = await kept("a code that changed") { store throws(StoreError) in
                try await store.keep(secrets, device: device, of: id)
            }
        case .exchanging:
            var wasPending = true
            problem = await kept { store throws(StoreError) in wasPending = try await store.markExchanging(sessionID: id) }
            let failure =
                Self.failure("the answer could not be saved, so its code was not used", problem)
                ?? (wasPending ? nil : .internal(message: "the sign-in was already answered"))
            happened { $0.exchangingMarked(ticket, failure: failure, now: $1) }
        case .end(let failure):
            problem = await kept("the end of a sign-in") { store throws(StoreError) in
                try await store.finish(sessionID: id, outcome: .failed(failure))
            }
            happened { signIns, _ in signIns.endStored(ticket) }
        case .delivered:
            problem = await kept("the delivery of a result") { store throws(StoreError) in
                _ = try await store.markDelivered(sessionID: id)
            }
        }
        return problem
    }

    func delete(_ ids: [String]) async {
        do { try await store.opened().deleteSessions(ids: ids) } catch {
            events.report(.storeProblem, "finished sign-ins could not be removed: \(error)", level: .warning)
        }
    }

    /// - Parameter what: for the log; nil if a failure is reported elsewhere.
    private func kept(
        _ what: String? = nil, _ body: @DaemonActor (any ApplicationStore) async throws(StoreError) -> Void
    ) async -> StoreError? {
        do throws(StoreError) {
            try await body(try store.opened())
            return nil
        } catch {
            if let what { events.report(.storeProblem, "\(what) could not be saved: \(error)", level: .warning) }
            return error
        }
    }

    private static func failure(_ what: String, _ problem: StoreError?) -> SignInFailure? { problem.map { SignInFailure($0, what) } }

    // MARK: The result

    /// The provider's answer passed every check: the account rules decide, and everything is written in one transaction.
    func keep(_ completed: CompletedSignIn, of session: SignInSession, expiresAt: Timestamp, _ ticket: SignInTicket) async {
        do throws(AccountFailure) {
            if let other = try await otherAccount(completed.profile.identity, for: session) {
                return happened { $0.notKept(ticket, session, completed, other, now: $1) }
            }
            let outcome = try await settle(completed, of: session, expiresAt: expiresAt)
            happened { $0.kept(ticket, outcome, now: $1) }
        } catch {
            happened { $0.notKept(ticket, session, completed, failure(error, app: session.question.app), now: $1) }
        }
    }

    private func failure(_ error: AccountFailure, app: String) -> SignInFailure {
        let what = "the credential could not be saved"
        if case .store(let problem) = error { return SignInFailure(problem, what) }
        return .internal(message: "\(what): \(InterfaceError(error, app: app, providerName: providers.displayName).message)")
    }

    /// Nil if the account is the one that was requested, or none was, or it is not known.
    private func otherAccount(_ identity: Identity, for session: SignInSession) async throws(AccountFailure) -> SignInFailure? {
        guard let hint = session.question.loginHint, !ExpectedAccount.spells(hint, identity) else { return nil }
        let known = try await store.ask { store throws(StoreError) in
            try await store.identities(providerID: identity.providerID, meantBy: hint)
        }
        let isUserName = providers[identity.providerID]?.dialect.isUserName(hint) ?? false
        guard ExpectedAccount.isOther(identity, thanAskedFor: hint, isUserName: isUserName, known: known) else { return nil }
        return .otherAccount(
            asked: ProviderText.cleaned(hint, longest: ProviderText.longestName) ?? "another account",
            signedIn: ExpectedAccount.name(of: identity))
    }

    private func settle(
        _ completed: CompletedSignIn, of session: SignInSession, expiresAt: Timestamp
    ) async throws(AccountFailure) -> SignInOutcome {
        guard session.question.intent != .credential else {
            try await store.ask { store throws(StoreError) in
                try await store.finish(sessionID: session.id, outcome: .completed(completed), expiresAt: expiresAt)
            }
            return .completed(completed)
        }
        let era = inventory.era
        let settled = try await accounts.settle(
            .session(session, completed, expiresAt: expiresAt), intent: session.question.intent, app: session.question.app)
        guard let settled else { throw .internal(message: "the sign-in was settled without an outcome") }
        // A refusal may have kept the credential too, if it could not be determined who signed in.
        await inventory.signedIn(completed.profile.identity, settled.credential, since: era)
        return settled.outcome
    }
}

extension SignInFailure {
    /// - Parameter what: could not be done.
    fileprivate init(_ problem: StoreError, _ what: String) {
        let message = "\(what): \(problem)"
        self = problem.isLock ? .storeLocked(message: message) : .storeUnavailable(message: message)
    }
}
