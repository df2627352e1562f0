import PosternCore

extension FirebaseAccounts {
    func signInAnonymously(app: AppName) async throws(AccountFailure) -> AccountResult {
        try await alone(app) { () async throws(AccountFailure) in
            // As the SDKs do: a user who is anonymous already stays the same, and the project is not asked.
            if let session = try await self.session(app: app), session.user.isAnonymous {
                return AccountResult(user: session.user, isNewUser: false, completed: nil, intent: .signIn)
            }
            let project = try self.configured().name
            let count = try await self.store.ask { store throws(StoreError) in
                try await store.anonymousApps(ofFirebaseProject: project)
            }
            // Including those of other apps that are being created.
            try AccountRules.requireRoom(anonymousApps: count + self.anonymousUnderWay)
            self.anonymousUnderWay += 1
            defer { self.anonymousUnderWay -= 1 }
            let answer = try await self.ask { $0.signInAnonymously() }
            return try await self.entered(answer, isNewUser: true, intent: .signIn, app: app, current: nil)
        }
    }

    func createUser(email: String, password: Secret, displayName: String?, app: AppName) async throws(AccountFailure) -> AccountResult {
        guard !password.isEmpty else { throw Self.emptyPassword }
        guard !email.isEmpty else { throw .firebase(FirebaseRefusal(.missingEmail)) }
        return try await alone(app) { () async throws(AccountFailure) in
            let answer = try await self.naming(email) { () async throws(AccountFailure) in
                try await self.ask { $0.signUp(email: email, password: password, displayName: displayName) }
            }
            return try await self.entered(answer, isNewUser: true, intent: .signIn, app: app, current: nil)
        }
    }

    func signIn(email: String, password: Secret, intent: Intent, app: AppName) async throws(AccountFailure) -> AccountResult {
        guard !password.isEmpty else { throw intent == .link ? Self.emptyPassword : .firebase(FirebaseRefusal(.wrongPassword)) }
        guard !email.isEmpty else { throw .firebase(FirebaseRefusal(.missingEmail)) }
        return try await alone(app, for: intent) { () async throws(AccountFailure) in
            let current = try await self.current(for: intent, app: app)
            guard intent == .link, let current else {
                return try await self.proved(email, password, intent: intent, app: app, current: current)
            }
            guard !current.user.hasPassword else {
                throw .refused(.providerAlreadyLinked(providerID: User.passwordProviderID))
            }
            try current.requireRecent(platform.signIns.recency)
            let answer = try await self.naming(email) { () async throws(AccountFailure) in
                try await self.ask(as: current) { $0.signUp(email: email, password: password, linkedTo: $1) }
            }
            return try await self.entered(answer, isNewUser: false, intent: intent, app: app, current: current)
        }
    }

    private func proved(
        _ email: String, _ password: Secret, intent: Intent, app: AppName, current: FirebaseSession?
    ) async throws(AccountFailure) -> AccountResult {
        let answer: FirebaseAnswer
        do throws(AccountFailure) { answer = try await ask { $0.signIn(email: email, password: password) } } catch {
            guard intent == .reauthenticate, error.firebase?.code == .userNotFound else { throw error }
            throw .refused(.userMismatch)
        }
        return try await entered(answer, isNewUser: false, intent: intent, app: app, current: current)
    }

    /// An answer that signs somebody in, or requires a second factor.
    private func entered(
        _ answer: FirebaseAnswer, isNewUser: Bool, intent: Intent, app: AppName, current: FirebaseSession?
    ) async throws(AccountFailure) -> AccountResult {
        switch try AccountFailure.wrapping(project: FirebaseSignIn(answer, now: platform.now)) {
        case .signedIn(let signedIn):
            let provisional = User(provisional: signedIn, identity: nil, beside: current?.user, now: platform.now)
            let admission = try await admit(
                signedIn.tokens, isNewUser: isNewUser, app: app, intent: intent, current: current,
                proof: Proof(.password, seenAt: platform.signIns.now), providerID: nil, provisional: provisional)
            return try await keep(admission, intent: intent)
        case .secondFactor(let pending):
            throw .secondFactorNeeded(
                SecondFactorDemand(uid: try remember(pending), hints: pending.hints, intent: intent, app: app))
        case .confirmationNeeded, .alreadyLinked: throw .firebase(.malformed("it is about a provider that was not asked about"))
        }
    }

    /// The project's error does not say which address is taken.
    func naming<Value: Sendable>(
        _ email: String?, _ work: @DaemonActor () async throws(AccountFailure) -> Value
    ) async throws(AccountFailure) -> Value {
        do throws(AccountFailure) { return try await work() } catch {
            guard error.firebase?.code == .emailAlreadyInUse else { throw error }
            throw .refused(.emailAlreadyInUse(email: email.map(EmailAddress.lowercased) ?? ""))
        }
    }

    static let emptyPassword = AccountFailure.firebase(FirebaseRefusal(.weakPassword, detail: "an empty password is none"))
}
