import PosternCore
import PosternInterface

extension SignInCoordinator {
    /// A sign-in ends without a credential; its waiters are told once that is on disk.
    ///
    /// - Returns: why it could not be written down. That costs no credential, so most who end one have no use for it.
    @discardableResult
    func end(_ sessionID: String, _ failure: SignInFailure) async -> StoreError? {
        guard let before = table[sessionID], before.phase.isLive else { return nil }
        let waiting = table.finished(sessionID, outcome: .failed(failure), now: platform.now)
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
        platform.activityChanged()
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
        guard table[session.id]?.phase == .exchanging else { return revocation.discard(exchanged, of: session) }
        pages[session.id]?.isBeingKept = true
        let outcome: SignInOutcome
        do {
            if let other = try await otherAccount(exchanged.profile.identity, for: session) {
                await end(session.id, other)
                return revocation.discard(exchanged, of: session)
            }
            outcome = try await keep(exchanged, of: session)
        } catch {
            await end(session.id, .storeUnavailable(message: "the credential could not be kept: \(error)"))
            return revocation.discard(exchanged, of: session)
        }
        let waiting = table.finished(session.id, outcome: outcome, now: platform.now)
        reschedule()
        let name = providers.displayName(session.question.providerID)
        switch outcome {
        case .completed(let completed):
            let identity = completed.profile.identity
            log.notice("signed in", event: .signInCompleted, session: session, uid: completed.user?.uid)
            feed.post(
                .signInCompleted, "\(ExpectedAccount.name(of: identity)) signed in at \(name)", session: session, uid: completed.user?.uid)
        case .refused(let refusal, _):
            let words = InterfaceError(refusal, .init(app: session.question.app, providerName: name)).message
            log.notice("sign-in refused: \(words)", event: .signInFailed, session: session)
            feed.post(.signInFailed, words, session: session)
        case .failed: break
        }
        wakePages(of: session.id)
        await deliver(outcome, of: table[session.id] ?? session, to: waiting)
        forget(table.surplus)
        platform.activityChanged()
    }

    /// Nil where the account is the one that was asked for, or none was, or it cannot be told.
    private func otherAccount(_ identity: Identity, for session: SignInSession) async throws -> SignInFailure? {
        guard let hint = session.question.loginHint, !ExpectedAccount.spells(hint, identity) else { return nil }
        let known = try await store.opened().identities(providerID: identity.providerID, meantBy: hint)
        let isUserName = providers[identity.providerID]?.dialect.isUserName(hint) ?? false
        guard ExpectedAccount.isOther(identity, thanAskedFor: hint, isUserName: isUserName, known: known) else { return nil }
        return .otherAccount(
            asked: ProviderText.cleaned(hint, longest: ProviderText.longestName) ?? "another account",
            signedIn: ExpectedAccount.name(of: identity))
    }

    private func keep(_ exchanged: ExchangedCode, of session: SignInSession) async throws -> SignInOutcome {
        let now = platform.now
        let expiresAt = now.adding(seconds: SignInTable.retentionSeconds)
        let bare = CompletedSignIn(
            grant: exchanged.grant, profile: exchanged.profile, proof: CredentialProof(.flow, at: platform.signIns.now), rawNonce: session.nonce,
            user: nil, isNewUser: false)
        guard session.question.intent != .credential else {
            try await store.opened().finish(sessionID: session.id, outcome: .completed(bare), expiresAt: expiresAt)
            return .completed(bare)
        }
        let settled = try await accounts.settle(
            .session(session, bare, expiresAt: expiresAt), intent: session.question.intent, app: session.question.app)
        guard let settled else { throw InterfaceError.internalError(message: "the sign-in was settled without an outcome") }
        // A refusal may have kept the credential too: where it could not be asked who signed in.
        await inventory.changed(exchanged.profile.identity)
        return settled.outcome
    }

    // MARK: Handing out

    /// Hands the result to everybody who waits. A credential that can still be used is worth one handle to each, a first factor one
    /// resolver.
    func deliver(_ outcome: SignInOutcome, of session: SignInSession, to waiting: [WaiterID]) async {
        var handles: [WaiterID: HandleRecord] = [:]
        var resolvers: [WaiterID: Secret] = [:]
        // Before the first await: who attaches meanwhile finds it taken, so that it goes to its waiters alone.
        pages[session.id]?.isBeingDelivered = true
        defer { pages[session.id]?.isBeingDelivered = false }
        do {
            if let completed = outcome.credentialToHandOut, !waiting.isEmpty {
                for id in waiting { handles[id] = try handle(for: completed, boundTo: session.binding) }
                // A handle counts from the moment that a program can know it, so it is on disk before.
                guard try await store.opened().addHandles(Array(handles.values), of: session.id) else {
                    return tell(waiting, Self.wasDelivered)
                }
            }
            if case .refused(.secondFactorRequired(let uid, _), let completed) = outcome {
                for id in waiting {
                    resolvers[id] = try await accounts.resolver(
                        for: .provider(completed, session.binding), uid: uid, intent: session.question.intent, app: session.question.app)
                }
            }
        } catch {
            let told = (error as? InterfaceError) ?? (error as? StoreError).map { InterfaceError($0) }
            return tell(waiting, told ?? .internalError(message: "\(error)"))
        }
        var isDelivered = false
        for id in waiting {
            guard let waiter = waiters.removeValue(forKey: id) else { continue }
            guard tell(waiter.listener, outcome, of: session, handle: handles[id], resolver: resolvers[id]) else { continue }
            handles[id] = nil
            isDelivered = true
        }
        if isDelivered { delivered(session) }
        await takeBack(handles.values.map(\.handle))
    }

    /// - Returns: whether the answer is on its way.
    private func tell(
        _ listener: any SignInListener, _ outcome: SignInOutcome, of session: SignInSession, handle: HandleRecord?, resolver: Secret?
    ) -> Bool {
        switch outcome {
        case .completed(let completed): return listener.completed(Self.event(completed, of: session, handle: handle))
        case .refused(let refusal, let completed):
            let context = InterfaceError.RefusalContext(
                app: session.question.app, providerName: providers.displayName(session.question.providerID),
                credential: handle.map {
                    Interface.Credential(completed, handle: (text: $0.handle, expiresAt: $0.expiresAt))
                }, resolver: resolver)
            return listener.failed(InterfaceError(refusal, context))
        case .failed(let failure):
            return listener.failed(
                InterfaceError(failure, session: session, providerName: providers.displayName(session.question.providerID)))
        }
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

    static func event(_ completed: CompletedSignIn, of session: SignInSession, handle: HandleRecord?) -> Interface.SignInEvent {
        let credential = Interface.Credential(
            completed, handle: handle.map { (text: $0.handle, expiresAt: $0.expiresAt) })
        return Interface.SignInEvent(
            sessionID: session.id, state: .completed, expiresAt: "\(session.expiresAt)", credential: credential,
            result: completed.user.map {
                Interface.AuthResult(user: $0, completed: completed, credential: credential, intent: session.question.intent)
            })
    }

    func handle(for completed: CompletedSignIn, boundTo binding: ProviderBinding) throws -> HandleRecord {
        HandleRecord(
            handle: Secret(Base64URL.encode(try platform.randomness.bytes(32))), providerID: completed.profile.identity.providerID,
            binding: binding, credential: completed, expiresAt: platform.now.adding(seconds: HandleRecord.lifetimeSeconds))
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

extension SignInOutcome {
    /// What a program can still do something with: a credential without a user, or one that a user could not take.
    fileprivate var credentialToHandOut: CompletedSignIn? {
        switch self {
        case .completed(let completed): completed.user == nil ? completed : nil
        case .refused(let refusal, let completed): refusal.offersCredential ? completed : nil
        case .failed: nil
        }
    }
}
