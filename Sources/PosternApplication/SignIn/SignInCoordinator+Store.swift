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
            problem = await problemSaving { store throws(StoreError) in try await store.begin(signIn) }
            // A reload may have given the name to another provider meanwhile.
            let failure = Self.failure("the sign-in could not be saved", problem) ?? unbound(signIn.session)
            happened { $0.stored(ticket, failure: failure, now: $1) }
        case .extend(let until, let waiter):
            problem = await problemSaving { store throws(StoreError) in try await store.extend(sessionID: id, until: until) }
            let failure = Self.failure("the longer timeout of a sign-in could not be saved", problem)
            happened { signIns, now in
                guard let waiter else { return signIns.stored(ticket, failure: failure, now: now) }
                return signIns.extended(ticket, for: waiter, failure: failure, now: now)
            }
        case .page(let made, let renewal, let secrets, let device):
            problem = await problemSaving { store throws(StoreError) in
                guard let key = made.key else { return }
                guard made.requestToken != nil else { return try await store.addState(hash: key, to: id) }
                try await store.addRequestToken(secrets, device: device, key: key, to: id)
            }
            let failure = Self.failure("the new page could not be saved", problem)
            happened { signIns, now in
                failure.map { signIns.pageNotMade(renewal, $0, now: now) } ?? signIns.pageStored(made, for: renewal)
            }
        case .newCode(let device, let secrets):
            problem = await problemSaving { store throws(StoreError) in try await store.keep(secrets, device: device, of: id) }
            let failure = Self.failure("the code could not be saved", problem)
            happened { signIns, now in
                failure.map { signIns.codeNotGiven(ticket, $0) } ?? signIns.codeStored(ticket, device, now: now)
            }
        case .code(let device, let secrets):
            problem = await problemSaving("a code that changed") { store throws(StoreError) in
                try await store.keep(secrets, device: device, of: id)
            }
        case .exchanging:
            var wasPending = true
            problem = await problemSaving { store throws(StoreError) in wasPending = try await store.markExchanging(sessionID: id) }
            let failure =
                Self.failure("the answer could not be saved, so its code was not used", problem)
                ?? (wasPending ? nil : .internal(message: "the sign-in was already answered"))
            happened { $0.exchangingMarked(ticket, failure: failure, now: $1) }
        case .end(let failure):
            problem = await problemSaving("the end of a sign-in") { store throws(StoreError) in
                try await store.finish(sessionID: id, outcome: .failed(failure), changes: nil, expiresAt: nil)
            }
            happened { signIns, _ in signIns.endStored(ticket) }
        case .delivered:
            problem = await problemSaving("the delivery of a result") { store throws(StoreError) in
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

    /// Why a write failed; nil if it did not.
    ///
    /// - Parameter what: for the log; nil if a failure is reported elsewhere.
    private func problemSaving(
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

    private static func failure(_ what: String, _ problem: StoreError?) -> ProviderFailure? { problem.map { ProviderFailure($0, what) } }

    // MARK: The result

    /// The provider's answer passed every check: the account rules decide, and everything is written in one transaction.
    func keep(
        _ completed: CompletedSignIn, of session: SignInSession, expiresAt: Timestamp, isAbandoned: Bool, _ ticket: SignInTicket
    ) async {
        do throws(AccountFailure) {
            let request = session.request
            switch try await verdict(on: completed.profile.identity, for: request) {
            case .asked: break
            case .other:
                let other = SignInFailure.otherAccount(
                    asked: Self.shown(request.loginHint), signedIn: ExpectedAccount.name(of: completed.profile.identity))
                return happened { $0.notKept(ticket, session, completed, other, now: $1) }
            case .unsure:
                guard request.login != nil else { break }
                let outcome = try await unconfirmed(completed, of: session, expiresAt: expiresAt)
                return happened { $0.kept(ticket, outcome, now: $1) }
            }
            let outcome = try await settle(completed, of: session, expiresAt: expiresAt, isAbandoned: isAbandoned)
            happened { $0.kept(ticket, outcome, now: $1) }
            ownersMayHaveEnded()
        } catch {
            happened { $0.notKept(ticket, session, completed, failure(error, app: session.request.app), now: $1) }
        }
    }

    private func failure(_ error: AccountFailure, app: String) -> SignInFailure {
        let what = "the credential could not be saved"
        if case .store(let problem) = error { return .provider(ProviderFailure(problem, what)) }
        return .provider(
            .internal(message: "\(what): \(InterfaceError(error, app: app, providerName: providers.directory.displayName).message)"))
    }

    /// Whether the account is the one that was requested; it is if none was.
    private func verdict(on identity: Identity, for request: SignInRequest) async throws(AccountFailure) -> ExpectedAccount.Verdict {
        guard let hint = request.loginHint else { return .asked }
        var known = try await store.ask { store throws(StoreError) in
            try await store.identities(providerID: identity.providerID, meantBy: hint)
        }
        await providers.loader.read { _ = providers.loader.cache.credentials(providerID: identity.providerID) }
        let credentials = providers.loader.cache.credentials(providerID: identity.providerID)
        known += credentials.map(Identity.init)
        var pinned: StoredCredential?
        if let name = request.account, let login = request.login {
            let account = NamedAccount(name: name, providerID: identity.providerID, login: login)
            pinned = credentials.first { $0.isPinned(to: account) }
        }
        let isUserName = providers.directory[identity.providerID]?.dialect.isUserName(hint) ?? false
        return ExpectedAccount.verdict(on: identity, askedFor: hint, isUserName: isUserName, pinned: pinned?.subject, known: known)
    }

    private static func shown(_ hint: String?) -> String {
        hint.flatMap { ProviderText.cleaned($0, longest: ProviderText.longestName) } ?? "another account"
    }

    /// The person is asked; the credential goes with the question.
    private func unconfirmed(
        _ completed: CompletedSignIn, of session: SignInSession, expiresAt: Timestamp
    ) async throws(AccountFailure) -> SignInOutcome {
        let identity = completed.profile.identity
        let refusal = AccountRefusal.accountNotConfirmed(
            login: Self.shown(session.request.login), account: ExpectedAccount.name(of: identity), subject: identity.subject)
        let outcome = SignInOutcome.refused(refusal, completed)
        try await end(session, outcome, completed, expiresAt: expiresAt)
        return outcome
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

    private func settle(
        _ completed: CompletedSignIn, of session: SignInSession, expiresAt: Timestamp, isAbandoned: Bool
    ) async throws(AccountFailure) -> SignInOutcome {
        guard session.request.intent != .credential else {
            try await end(session, .completed(completed), completed, expiresAt: expiresAt)
            return .completed(completed)
        }
        let generation = providers.loader.generation
        let settled = try await accounts.settle(
            .session(session, completed, expiresAt: expiresAt, isAbandoned: isAbandoned), intent: session.request.intent,
            app: session.request.app)
        guard let settled else { throw .internal(message: "the sign-in was settled without an outcome") }
        // A refusal may have kept the credential too, if it could not be determined who signed in.
        await providers.loader.signedIn(completed.profile.identity, settled.credential, since: generation)
        return settled.outcome
    }
}

extension ProviderFailure {
    /// - Parameter what: could not be done.
    fileprivate init(_ problem: StoreError, _ what: String) {
        let message = "\(what): \(problem)"
        self = problem.isLock ? .storeLocked(message: message) : .storeUnavailable(message: message)
    }
}
