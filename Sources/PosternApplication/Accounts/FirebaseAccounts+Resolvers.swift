import PosternCore

extension FirebaseAccounts {
    /// A first factor that waits for a second one, as one program knows it.
    struct Resolver: Sendable {
        var pending: FirebasePending
        var firstFactor: FirstFactor
        var intent: Intent
        var app: AppName
        /// The app's sign-in for which the first factor was asked for.
        var owner: PageOwner?
        /// Sessions of the codes that were sent to phones, by factor.
        var phoneSessions: [String: Secret] = [:]
        var wrongCodes = 0
    }

    private static let mostWrongCodes = 5

    /// The clock of what waits in memory.
    var uptime: Int64 { platform.clock.uptime }

    var awaitsCode: Bool { !resolvers.isEmpty(uptime: uptime) || !enrollments.isEmpty(uptime: uptime) }

    /// - Returns: the identifier that the refusal carries, in the place of a user who is not known yet. Only in memory: after a restart
    ///   the user signs in again.
    func remember(_ pending: FirebasePending) throws(AccountFailure) -> String {
        try requireStore()
        let key = "pending:\(try randomID())"
        pendingSignIns[key, uptime: uptime] = pending
        return key
    }

    func resolver(
        for firstFactor: FirstFactor, uid: String, generation: Int64, intent: Intent, app: AppName, owner: PageOwner?
    ) async throws(AccountFailure) -> Secret {
        guard let pending = pendingSignIns[uid, uptime: uptime] else { throw .firebase(FirebaseRefusal(.missingMultiFactorSession)) }
        let id = try randomID()
        resolvers[id, uptime: uptime] = Resolver(pending: pending, firstFactor: firstFactor, intent: intent, app: app, owner: owner)
        return Secret(id)
    }

    func startSecondFactor(resolver id: String, uid: String) async throws(AccountFailure) {
        let (resolver, factor) = try resolver(id, factor: uid)
        guard factor.kind == .phone else {
            throw .firebase(
                FirebaseRefusal(.multiFactorInfoNotFound, detail: "authenticator codes are not sent; use the one that the app shows"))
        }
        let answer = try await ask { $0.startSecondFactor(resolver.pending.credential, factor: uid) }
        let session = try AccountFailure.wrapping(project: answer.phoneSession())
        resolvers[id, uptime: uptime]?.phoneSessions[uid] = session
    }

    func resolveSecondFactor(resolver id: String, uid: String, code: String) async throws(AccountFailure) -> AccountResult {
        let (resolver, factor) = try resolver(id, factor: uid)
        // Several at a time would be more tries than are allowed.
        return try await alone(resolver.app) { () async throws(AccountFailure) in
            guard let resolver = self.resolvers[id, uptime: uptime] else { throw .firebase(FirebaseRefusal(.missingMultiFactorSession)) }
            let standing = try self.standing(resolver, id: id)
            let session = resolver.phoneSessions[uid]
            guard factor.kind == .totp || session != nil else {
                throw .firebase(FirebaseRefusal(.missingVerificationID, detail: "ask for a code with StartSecondFactor first"))
            }
            let current = try await self.current(for: resolver.intent, app: resolver.app)
            if let current {
                do throws(AccountRefusal) { try AskedMoment.earlier(resolver.owner).require(current.owner) } catch {
                    throw .refused(error, app: resolver.app)
                }
            }
            let tokens = try await self.tokens(for: resolver, id: id, factor: uid, session: session, code: code)
            return try await self.finish(resolver, by: standing, tokens: tokens, current: current)
        }
    }

    private func resolver(_ id: String, factor uid: String) throws(AccountFailure) -> (Resolver, SecondFactor) {
        guard let resolver = resolvers[id, uptime: uptime] else { throw .firebase(FirebaseRefusal(.missingMultiFactorSession)) }
        guard let factor = resolver.pending.hints.first(where: { $0.uid == uid }) else {
            throw .firebase(FirebaseRefusal(.multiFactorInfoNotFound))
        }
        return (resolver, factor)
    }

    /// The first factor of a provider, before the project is told of the second one; nil for a password.
    ///
    /// - Throws: if it must not be used any more, which ends the resolver.
    private func standing(_ resolver: Resolver, id: String) throws(AccountFailure) -> StandingCredential? {
        guard case .provider(let completed, let binding) = resolver.firstFactor else { return nil }
        if let standing = providers.standing(completed, boundTo: binding, for: resolver.app) { return standing }
        resolvers[id, uptime: uptime] = nil
        throw .secondFactor(.accountChanged)
    }

    private func tokens(
        for resolver: Resolver, id: String, factor: String, session: Secret?, code: String
    ) async throws(AccountFailure) -> FirebaseTokens {
        do throws(AccountFailure) {
            let answer = try await ask {
                $0.finishSecondFactor(resolver.pending.credential, factor: factor, session: session, code: code)
            }
            let tokens = try AccountFailure.wrapping(project: answer.tokens(now: platform.now))
            guard let tokens else { throw .firebase(.malformed("it has no tokens")) }
            resolvers[id, uptime: uptime] = nil
            return tokens
        } catch {
            guard error.firebase?.code == .invalidVerificationCode else { throw error }
            let wrong = resolver.wrongCodes + 1
            resolvers[id, uptime: uptime]?.wrongCodes = wrong
            if wrong >= Self.mostWrongCodes { resolvers[id, uptime: uptime] = nil }
            throw error
        }
    }

    /// The project's answer says nothing about the provider: what the first factor gave is reported and kept now.
    private func finish(
        _ resolver: Resolver, by standing: StandingCredential?, tokens: FirebaseTokens, current: FirebaseSession?
    ) async throws(AccountFailure) -> AccountResult {
        let now = platform.now
        let provisional = current?.user ?? User(uid: tokens.uid, createdAt: now, lastSignInAt: now)
        let proof: Proof =
            switch resolver.firstFactor {
            case .provider(let completed, _): completed.proof
            case .password: Proof(.password, seenAt: platform.signIns.now)
            }
        let admission = try await admit(
            tokens, isNewUser: false, app: resolver.app, intent: resolver.intent, current: current, proof: proof, withSecondFactor: true,
            providerID: resolver.firstFactor.providerID, provisional: provisional)
        guard let standing else { return try await keep(admission, intent: resolver.intent) }
        let outcome = try await store.forAccounts.change { accounts throws(AccountFailure) in
            try admission.outcome(of: standing, accounts)
        }
        await stored(admission)
        switch outcome {
        case .completed(let completed):
            return AccountResult(user: admission.session.user, isNewUser: false, completed: completed, intent: resolver.intent)
        case .refused(let refusal, _): throw .refused(refusal, app: resolver.app)
        case .kept, .failed: throw .internal(message: "the second factor was not checked; sign in again")
        }
    }
}
