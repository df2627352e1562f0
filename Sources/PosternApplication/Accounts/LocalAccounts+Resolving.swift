import PosternCore

/// A second factor after a first one, whichever way the user signs in.
extension LocalAccounts {
    func resolver(
        for firstFactor: FirstFactor, uid: String, generation: Int64, intent: Intent, app: AppName, owner: PageOwner?
    ) async throws(AccountFailure) -> Secret {
        let now = platform.now
        let purpose: CodeChallenge.Purpose =
            switch firstFactor {
            case .provider(let completed, let binding): .provider(completed, binding, intent)
            case .password: .password(intent)
            }
        let challenge = CodeChallenge(
            id: try challengeID(), uid: uid, generation: generation, app: app, owner: owner, purpose: purpose,
            expiresAt: now.adding(seconds: CodeChallenge.lifetimeSeconds))
        do throws(AccountFailure) {
            try await store.ask { store throws(StoreError) in try await store.add(challenge, now: now) }
        } catch {
            guard case .store(let problem) = error, problem.kind == .conflict else { throw error }
            throw .secondFactor(.userDeleted)
        }
        return challenge.id
    }

    func startSecondFactor(resolver: String, uid: String) async throws(AccountFailure) {
        try phone.check()
        let now = platform.now
        let message = try PhoneMessage.Code(now: now, platform: platform)
        let number = try await store.forAccounts.change { accounts throws(AccountFailure) in
            var (challenge, user) = try accounts.firstFactor(of: resolver, now: now)
            guard let factor = user.secondFactors.first(where: { $0.uid == uid }) else { throw .secondFactor(.noSuchFactor) }
            guard let number = factor.phoneNumber.flatMap(PhoneNumber.init) else { throw .secondFactor(.notATelephone) }
            let message = PhoneMessage(message, to: number, factor: uid)
            challenge.sent = message.kept
            var changes = AccountChanges()
            changes.upsertChallenge = challenge
            changes.attempts = try message.counted(accounts)
            return (number, changes)
        }
        try await phone.send(message.code, to: number, issuer: issuer)
    }

    func resolveSecondFactor(resolver: String, uid: String, code: String) async throws(AccountFailure) -> AccountResult {
        let asked = try AccountRequest(
            intent: .signIn, app: "default", settings: accountSettings, platform: platform, secondFactor: uid)
        let cryptography = platform.cryptography
        // Nil for a password.
        let standing = try await standing(resolver: resolver)
        let code = Self.code(code)
        let resolved = try await judge { accounts throws(AccountFailure) in
            let (challenge, user) = try accounts.firstFactor(of: resolver, now: asked.now)
            guard let factor = user.secondFactors.first(where: { $0.uid == uid }) else { throw .secondFactor(.noSuchFactor) }
            let request = CodeCheck(
                code: code, challenge: challenge, factor: factor, key: try accounts.factorKey(factor, of: user),
                attempts: try accounts.attempts(of: challenge.attempts), now: asked.now)
            // Decided again: since the first factor was given, everything may have changed.
            return try request.answered(cryptography: cryptography) { _ throws(AccountFailure) in
                try asked.resolved(challenge, of: user, by: standing, accounts)
            }
        }
        let result = resolved.result
        if let completed = result.completed { releaseReplaced(by: completed) }
        let providerID = result.completed?.profile.identity.providerID
        events.report(
            .signInCompleted, "signed in with a second factor", providerID: providerID, uid: result.user.uid, app: resolved.app)
        return result
    }
}

extension LocalAccounts {
    /// The first factor of a provider that a resolver stands for; nil for a password, and if there is no such resolver.
    ///
    /// - Throws: if it must not be used any more.
    private func standing(resolver: String) async throws(AccountFailure) -> StandingCredential? {
        let now = platform.now
        let challenge = try await store.forAccounts.change { accounts throws(AccountFailure) in
            (try accounts.challenge(resolver, now: now), AccountChanges())
        }
        guard let challenge, case .provider(let completed, let binding, _) = challenge.purpose else { return nil }
        guard let standing = providers.standing(completed, boundTo: binding, for: challenge.app) else {
            throw .secondFactor(.accountChanged)
        }
        return standing
    }
}

private struct Resolved: Sendable {
    var result: AccountResult
    var app: AppName
}

extension LocalAccounts.AccountRequest {
    /// What the rules make of the first factor, now that the second one was given.
    fileprivate func resolved(
        _ challenge: CodeChallenge, of user: User, by standing: StandingCredential?, _ accounts: borrowing AccountSnapshot
    ) throws(AccountFailure) -> (Resolved, AccountChanges) {
        var asked = self
        asked.app = challenge.app
        switch challenge.purpose {
        case .enrolment: throw .secondFactor(.noResolver)
        case .password(let intent):
            guard user.hasPassword else { throw .secondFactor(.accountChanged) }
            let current = try accounts.current(app: challenge.app)
            if intent == .reauthenticate, current.map(PageOwner.init) != challenge.owner {
                throw .refused(.userMismatch, app: challenge.app)
            }
            let decision: AccountRules.Decision
            do throws(AccountRefusal) {
                decision = try AccountRules.signIn(
                    byPassword: user, secondFactor: secondFactor, intent: intent, app: challenge.app, newSignIn: newSignIn,
                    current: current,
                    now: now)
            } catch { throw .refused(error, app: challenge.app) }
            let result = AccountResult(user: decision.user, isNewUser: false, completed: nil, intent: intent)
            return (Resolved(result: result, app: challenge.app), decision.changes)
        case .provider(_, _, let intent):
            guard let standing else { throw .secondFactor(.noResolver) }
            asked.intent = intent
            asked.moment = .earlier(challenge.owner)
            let (outcome, changes) = try asked.outcome(of: standing, accounts)
            switch outcome {
            case .completed(let completed):
                // The identity may have moved to another user meanwhile, whose code this was not.
                guard let decided = completed.user, decided.uid == user.uid else { throw .secondFactor(.accountChanged) }
                let result = AccountResult(user: decided, isNewUser: completed.isNewUser, completed: completed, intent: intent)
                return (Resolved(result: result, app: challenge.app), changes)
            case .refused(let refusal, _):
                throw refusal.offersCredential || refusal.reason == .secondFactorRequired
                    ? .secondFactor(.accountChanged) : .refused(refusal, app: challenge.app)
            case .kept, .failed: throw .secondFactor(.accountChanged)
            }
        }
    }
}

extension AccountReading where Self: ~Copyable {
    /// A first factor that may be used now, and whose it is.
    ///
    /// - Throws: if there is none, or if it was checked against what has changed since.
    fileprivate func firstFactor(of resolver: String, now: Timestamp) throws(AccountFailure) -> (CodeChallenge, User) {
        guard let challenge = try challenge(resolver, now: now), !challenge.isEnrolment, let user = try user(uid: challenge.uid) else {
            throw .secondFactor(.noResolver)
        }
        guard challenge.stillHolds(for: user) else { throw .secondFactor(.accountChanged) }
        return (challenge, user)
    }
}

extension CodeChallenge {
    fileprivate var isEnrolment: Bool { if case .enrolment = purpose { true } else { false } }
}
