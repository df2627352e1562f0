import PosternCore
import PosternCrypto
import PosternInterface
import PosternStore

extension SignInCoordinator {
    /// A sign-in ends without a credential; its waiters are told once that is on disk.
    ///
    /// - Returns: why it could not be written down. That costs no credential, so most who end one have no use for it.
    @discardableResult
    func end(_ sessionID: String, _ failure: SignInFailure) async -> StoreError? {
        guard let before = table[sessionID], before.phase.isLive else { return nil }
        let waiting = table.finished(sessionID, outcome: .failed(failure), now: WallClock.now)
        pages[sessionID]?.url = nil
        stopPolling(sessionID)
        // One that was never on disk is known to nobody: nothing is left to be asked for.
        let isKnown = pages[sessionID]?.isStored == true
        reschedule()
        let problem = isKnown ? await keepEnd(of: sessionID, failure) : nil
        let name = providers.displayName(before.question.providerID)
        let error = InterfaceError(failure, session: before, providerName: name)
        log.notice("sign-in ended: \(error.message)", event: .signInFailed, session: before)
        feed.post(.signInFailed, error.message, session: before)
        for id in waiting { waiters.removeValue(forKey: id)?.listener.failed(error) }
        wakePages(of: sessionID)
        forget(isKnown ? table.surplus : [sessionID])
        activityChanged()
        return problem
    }

    private func keepEnd(of sessionID: String, _ failure: SignInFailure) async -> StoreError? {
        do {
            try await store.opened().finish(sessionID: sessionID, outcome: .failed(failure))
            return nil
        } catch {
            log.warning("the end of a sign-in could not be kept: \(error)", event: .storeProblem)
            return error
        }
    }

    /// The provider's answer stood every check: the account rules decide, and all of it is written in one transaction.
    func succeed(_ session: SignInSession, _ exchanged: ExchangedCode) async {
        // Cancelled meanwhile: nothing of it is stored.
        guard table[session.id]?.phase == .exchanging else { return await unwanted(exchanged, session) }
        pages[session.id]?.isBeingKept = true
        let outcome: SignInOutcome
        do {
            if let other = try await otherAccount(exchanged.profile.identity, for: session) {
                await end(session.id, other)
                return await unwanted(exchanged, session)
            }
            outcome = try await keep(exchanged, of: session)
        } catch {
            await end(session.id, .storeUnavailable(message: "the credential could not be kept: \(error)"))
            return await unwanted(exchanged, session)
        }
        guard case .completed(let completed) = outcome else { return }
        let waiting = table.finished(session.id, outcome: outcome, now: WallClock.now)
        reschedule()
        let identity = completed.profile.identity
        log.notice("signed in", event: .signInCompleted, session: session, uid: completed.user?.uid)
        let name = identity.displayName ?? identity.username ?? identity.subject
        feed.post(
            .signInCompleted, "\(name) signed in at \(providers.displayName(identity.providerID))", session: session,
            uid: completed.user?.uid)
        wakePages(of: session.id)
        await deliver(completed, of: table[session.id] ?? session, to: waiting)
        forget(table.surplus)
        activityChanged()
    }

    /// Nil where the account is the one that was asked for, or none was, or it cannot be told.
    private func otherAccount(_ identity: Identity, for session: SignInSession) async throws -> SignInFailure? {
        guard let hint = session.question.loginHint else { return nil }
        let known = try await store.opened().identities(providerID: identity.providerID)
        let isUserName = providers[identity.providerID]?.dialect.isUserName(hint) ?? false
        guard ExpectedAccount.isOther(identity, thanAskedFor: hint, isUserName: isUserName, known: known) else { return nil }
        return .otherAccount(
            asked: ProviderText.cleaned(hint, longest: ProviderText.longestName) ?? "another account",
            signedIn: ExpectedAccount.name(of: identity))
    }

    private func keep(_ exchanged: ExchangedCode, of session: SignInSession) async throws -> SignInOutcome {
        let now = WallClock.now
        let expiresAt = now.adding(seconds: SignInTable.retentionSeconds)
        let bare = CompletedSignIn(
            grant: exchanged.grant, profile: exchanged.profile, rawNonce: session.nonce, user: nil, isNewUser: false)
        guard session.question.intent == .signIn else {
            try await store.opened().finish(sessionID: session.id, outcome: .completed(bare), expiresAt: expiresAt)
            return .completed(bare)
        }
        let newUID = RandomIdentifier.uid(randomBytes: try RandomBytes.generate(28))
        let outcome = try await store.opened().finish(sessionID: session.id, expiresAt: expiresAt) { accounts in
            let signedIn = try SignedIn(
                bare, boundTo: session.binding, app: session.question.app, newUID: newUID, now: now, accounts: accounts)
            return (.completed(signedIn.completed), signedIn.changes)
        }
        await accountsChanged(exchanged.profile.identity)
        return outcome
    }

    // MARK: Handing out

    /// Hands the result to everybody who waits. A `credential` is worth one handle to each.
    func deliver(_ completed: CompletedSignIn, of session: SignInSession, to waiting: [WaiterID]) async {
        var handles: [WaiterID: HandleRecord] = [:]
        // Before the first await: who attaches meanwhile finds it taken, so that it goes to its waiters alone.
        pages[session.id]?.isBeingDelivered = true
        defer { pages[session.id]?.isBeingDelivered = false }
        if completed.user == nil, !waiting.isEmpty {
            do {
                for id in waiting { handles[id] = try Self.handle(for: completed, of: session) }
                // A handle counts from the moment that a program can know it, so it is on disk before.
                guard try await store.opened().addHandles(Array(handles.values), of: session.id) else {
                    return tell(waiting, Self.wasDelivered)
                }
            } catch {
                return tell(waiting, (error as? StoreError).map { InterfaceError($0) } ?? .internalError(message: "\(error)"))
            }
        }
        var isDelivered = false
        for id in waiting {
            guard let waiter = waiters.removeValue(forKey: id) else { continue }
            guard waiter.listener.completed(Self.event(completed, of: session, handle: handles[id])) else { continue }
            handles[id] = nil
            isDelivered = true
        }
        if isDelivered { delivered(session) }
        await takeBack(handles.values.map(\.handle))
    }

    private func tell(_ waiting: [WaiterID], _ error: InterfaceError) {
        for id in waiting { waiters.removeValue(forKey: id)?.listener.failed(error) }
    }

    /// Those who were to have these handles have gone; the result can still be fetched, with others.
    private func takeBack(_ handles: [Secret]) async {
        guard !handles.isEmpty else { return }
        do { try await store.opened().deleteHandles(handles) } catch {
            log.warning("handles that nobody has could not be removed: \(error)", event: .storeProblem)
        }
    }

    static func event(_ completed: CompletedSignIn, of session: SignInSession, handle: HandleRecord?) -> SignInEvent {
        let credential = PosternInterface.Credential(
            completed, handle: handle.map { (text: $0.handle.reveal(), expiresAt: $0.expiresAt) })
        return SignInEvent(
            sessionID: session.id, state: .completed, expiresAt: "\(session.expiresAt)", credential: credential,
            result: completed.user.map { AuthResult(user: $0, completed: completed, credential: credential) })
    }

    /// One use, for five minutes.
    private static let handleLifetimeSeconds: Int64 = 300

    private static func handle(for completed: CompletedSignIn, of session: SignInSession) throws -> HandleRecord {
        HandleRecord(
            handle: Secret(Base64URL.encode(try RandomBytes.generate(32))), providerID: completed.profile.identity.providerID,
            binding: session.binding, credential: completed, expiresAt: WallClock.now.adding(seconds: handleLifetimeSeconds))
    }

    /// The answer was written: the result is not given out again. Had the program gone before, it could still fetch it.
    private func delivered(_ session: SignInSession) {
        feed.post(.resultDelivered, "a program has its answer", session: session)
        table.delivered(session.id)
        start {
            do { _ = try await self.store.opened().markDelivered(sessionID: session.id) } catch {
                self.log.warning("the delivery of a result could not be kept: \(error)", event: .storeProblem)
            }
        }
    }
}

/// What a sign-in makes of the accounts, decided inside the store's transaction.
struct SignedIn: Sendable {
    var completed: CompletedSignIn
    var changes: AccountChanges

    init(
        _ bare: CompletedSignIn, boundTo binding: ProviderBinding, app: String, newUID: String, now: Timestamp,
        accounts: borrowing AccountSnapshot
    ) throws {
        let identity = bare.profile.identity
        let owner = try accounts.user(identity: identity.providerID, subject: identity.subject)
        let decision = AccountRules.signedIn(as: identity, owner: owner, newUID: newUID, now: now)
        let held = try accounts.credential(providerID: identity.providerID, subject: identity.subject)
        completed = bare
        completed.user = decision.user
        completed.isNewUser = decision.isNewUser
        var grant = bare.grant
        // Providers that give a refresh token at the first consent only must not cost the person that one.
        // One that is bound to a key of its own cannot go with another.
        if grant.refreshToken == nil, held?.binding == binding, let kept = held?.grant, Set(grant.scopes).isSubset(of: kept.scopes),
            kept.proofKey == grant.proofKey
        {
            grant.refreshToken = kept.refreshToken
            grant.refreshTokenExpiresAt = kept.refreshTokenExpiresAt
        }
        let credential = PosternCore.StoredCredential(
            providerID: identity.providerID, subject: identity.subject,
            displayName: identity.displayName ?? identity.username ?? held?.displayName, binding: binding, grant: grant, generation: 0)
        changes = AccountChanges(
            upsertUser: decision.user, currentUser: AccountChanges.CurrentUser(app: app, uid: decision.user.uid),
            // An ID token alone gives access to nothing, and must not take the place of a grant that does.
            upsertCredential: grant.hasAccessToken ? credential : nil)
    }
}
