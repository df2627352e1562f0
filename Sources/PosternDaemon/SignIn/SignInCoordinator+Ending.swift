import PosternCore
import PosternCrypto
import PosternInterface
import PosternStore

extension SignInCoordinator {
    /// A sign-in ends without a credential; its waiters are told once that is on disk.
    func end(_ sessionID: String, _ failure: SignInFailure) async {
        guard let before = table[sessionID], before.phase.isLive else { return }
        let waiting = table.finished(sessionID, outcome: .failed(failure), now: WallClock.now)
        pages[sessionID]?.url = nil
        reschedule()
        await keepEnd(of: sessionID)
        let name = providers.displayName(before.question.providerID)
        let error = InterfaceError(failure, session: before, providerName: name)
        log.notice("sign-in ended: \(error.message)", event: .signInFailed, session: before)
        feed.post(.signInFailed, error.message, session: before)
        for id in waiting { waiters.removeValue(forKey: id)?.listener.failed(error) }
        wakePages(of: sessionID)
        activityChanged()
    }

    /// Writes down how a sign-in ended. A store that fails here costs no credential, so it is told to the log alone.
    func keepEnd(of sessionID: String) async {
        guard pages[sessionID]?.isStored == true, case .failed(let failure)? = table[sessionID]?.outcome else { return }
        do { try await store.opened().finish(sessionID: sessionID, outcome: .failed(failure)) } catch {
            log.warning("the end of a sign-in could not be kept: \(error)", event: .storeProblem)
        }
    }

    /// The provider's answer stood every check: the account rules decide, and all of it is written in one transaction.
    func succeed(_ sessionID: String, _ exchanged: ExchangedCode) async {
        // Cancelled meanwhile: nothing of it is stored.
        guard let session = table[sessionID], session.phase == .exchanging else { return }
        let outcome: SignInOutcome
        do {
            outcome = try await keep(exchanged, of: session)
        } catch {
            await end(sessionID, .storeUnavailable(message: "the credential could not be kept: \(error)"))
            return
        }
        // Cancelled while it was being written: the store refused it, or the waiters were told already.
        guard case .completed(let completed) = outcome, table[sessionID]?.phase == .exchanging else { return }
        let waiting = table.finished(sessionID, outcome: outcome, now: WallClock.now)
        reschedule()
        let identity = completed.profile.identity
        log.notice("signed in", event: .signInCompleted, session: session, uid: completed.user?.uid)
        feed.post(
            .signInCompleted, "\(identity.displayName ?? identity.username ?? identity.subject) signed in at \(providers.displayName(identity.providerID))",
            session: session, uid: completed.user?.uid)
        wakePages(of: sessionID)
        await deliver(completed, of: sessionID, to: waiting)
        activityChanged()
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
            let signedIn = try SignedIn(bare, app: session.question.app, newUID: newUID, now: now, accounts: accounts)
            return (.completed(signedIn.completed), signedIn.changes)
        }
        await accountsChanged(exchanged.profile.identity)
        return outcome
    }

    // MARK: Handing out

    /// Hands the result to everybody who waits. A `credential` is worth one handle to each.
    func deliver(_ completed: CompletedSignIn, of sessionID: String, to waiting: [WaiterID]) async {
        var handles: [WaiterID: HandleRecord] = [:]
        if completed.user == nil, !waiting.isEmpty {
            // Before the first await: who attaches meanwhile finds it taken, so that each credential goes to its waiters alone.
            table.delivered(sessionID)
            do {
                for id in waiting { handles[id] = try Self.handle(for: completed) }
                // A handle counts from the moment that a program can know it, so it is on disk before.
                guard try await store.opened().markDelivered(sessionID: sessionID, handles: Array(handles.values)) else {
                    return tell(waiting, Self.wasDelivered)
                }
            } catch {
                table.notDelivered(sessionID)
                return tell(waiting, .storeDamaged(message: "the credential's handle could not be kept: \(error)"))
            }
        }
        for id in waiting {
            guard let session = table[sessionID], let waiter = waiters.removeValue(forKey: id) else { continue }
            waiter.listener.completed(Self.event(completed, of: session, handle: handles[id])) { [weak self] in
                self?.delivered(sessionID)
            }
        }
    }

    private func tell(_ waiting: [WaiterID], _ error: InterfaceError) {
        for id in waiting { waiters.removeValue(forKey: id)?.listener.failed(error) }
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

    private static func handle(for completed: CompletedSignIn) throws -> HandleRecord {
        HandleRecord(
            handle: Secret(Base64URL.encode(try RandomBytes.generate(32))), providerID: completed.profile.identity.providerID,
            credential: completed, expiresAt: WallClock.now.adding(seconds: handleLifetimeSeconds))
    }

    /// The answer was written: the result is not given out again. Had the program gone before, it could still fetch it.
    private func delivered(_ sessionID: String) {
        guard let session = table[sessionID] else { return }
        feed.post(.resultDelivered, "a program has its answer", session: session)
        guard !session.isDelivered else { return }
        table.delivered(sessionID)
        start {
            do { _ = try await self.store.opened().markDelivered(sessionID: sessionID, handles: []) } catch {
                self.log.warning("the delivery of a result could not be kept: \(error)", event: .storeProblem)
            }
        }
    }
}

/// What a sign-in makes of the accounts, decided inside the store's transaction.
struct SignedIn: Sendable {
    var completed: CompletedSignIn
    var changes: AccountChanges

    init(_ bare: CompletedSignIn, app: String, newUID: String, now: Timestamp, accounts: borrowing AccountSnapshot) throws {
        let identity = bare.profile.identity
        let owner = try accounts.user(identity: identity.providerID, subject: identity.subject)
        let decision = AccountRules.signedIn(as: identity, owner: owner, newUID: newUID, now: now)
        let held = try accounts.credential(providerID: identity.providerID, subject: identity.subject)
        completed = bare
        completed.user = decision.user
        completed.isNewUser = decision.isNewUser
        var grant = bare.grant
        // Providers that give a refresh token at the first consent only must not cost the person that one.
        if grant.refreshToken == nil, let kept = held?.grant, Set(grant.scopes).isSubset(of: kept.scopes) {
            grant.refreshToken = kept.refreshToken
            grant.refreshTokenExpiresAt = kept.refreshTokenExpiresAt
        }
        changes = AccountChanges(
            upsertUser: decision.user, currentUser: AccountChanges.CurrentUser(app: app, uid: decision.user.uid),
            upsertCredential: PosternCore.StoredCredential(
                providerID: identity.providerID, subject: identity.subject, displayName: identity.displayName ?? identity.username,
                grant: grant, generation: 0))
    }
}
