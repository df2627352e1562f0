import PosternCore
import PosternInterface

extension FirebaseAccounts {
    func signInAnonymously(app: String) async throws -> AccountResult {
        try await alone(app) {
            // As the SDKs do: who is anonymous already stays who they are, and nobody is asked.
            if let session = try await self.session(app: app), session.user.isAnonymous {
                return AccountResult(user: session.user, isNewUser: false, completed: nil, intent: .signIn)
            }
            let project = try self.configured().name
            try AccountRules.requireRoom(anonymousApps: try await self.store.opened().anonymousApps(ofFirebaseProject: project))
            let answer = try await self.ask { $0.signInAnonymously() }
            return try await self.entered(answer, isNewUser: true, intent: .signIn, app: app, current: nil)
        }
    }

    func createUser(email: String, password: Secret, displayName: String?, app: String) async throws -> AccountResult {
        guard !password.isEmpty else { throw Self.emptyPassword }
        guard !email.isEmpty else { throw FirebaseRefusal(.missingEmail) }
        return try await alone(app) {
            let answer = try await self.naming(email) {
                try await self.ask { $0.signUp(email: email, password: password, displayName: displayName) }
            }
            return try await self.entered(answer, isNewUser: true, intent: .signIn, app: app, current: nil)
        }
    }

    func signIn(email: String, password: Secret, intent: Intent, app: String) async throws -> AccountResult {
        guard !password.isEmpty else { throw intent == .link ? Self.emptyPassword : FirebaseRefusal(.wrongPassword) }
        guard !email.isEmpty else { throw FirebaseRefusal(.missingEmail) }
        return try await alone(app) {
            let current = try await self.current(for: intent, app: app)
            guard intent == .link, let current else {
                return try await self.proved(email, password, intent: intent, app: app, current: current)
            }
            guard !current.user.hasPassword else {
                throw AccountRefusal.providerAlreadyLinked(providerID: User.passwordProviderID)
            }
            try current.requireRecent(platform.signIns.recency)
            let answer = try await self.naming(email) {
                try await self.ask(as: current) { $0.signUp(email: email, password: password, linkedTo: $1) }
            }
            return try await self.entered(answer, isNewUser: false, intent: intent, app: app, current: current)
        }
    }

    private func proved(
        _ email: String, _ password: Secret, intent: Intent, app: String, current: FirebaseSession?
    ) async throws -> AccountResult {
        let answer: FirebaseAnswer
        do throws(FirebaseRefusal) { answer = try await ask { $0.signIn(email: email, password: password) } } catch {
            guard intent == .reauthenticate, error.code == .userNotFound else { throw error }
            throw AccountRefusal.userMismatch
        }
        return try await entered(answer, isNewUser: false, intent: intent, app: app, current: current)
    }

    /// An answer that signs somebody in, or asks for a second factor.
    private func entered(
        _ answer: FirebaseAnswer, isNewUser: Bool, intent: Intent, app: String, current: FirebaseSession?
    ) async throws -> AccountResult {
        switch try FirebaseSignIn(answer, now: platform.now) {
        case .signedIn(let signedIn):
            let provisional = User(provisional: signedIn, identity: nil, beside: current?.user, now: platform.now)
            let admission = try await admit(
                signedIn.tokens, isNewUser: isNewUser, app: app, intent: intent, current: current,
                proof: CredentialProof(.password, at: platform.signIns.now), provisional: provisional)
            return try await keep(admission, intent: intent)
        case .secondFactor(let pending):
            throw SecondFactorNeeded(
                uid: try remember(pending), hints: pending.hints, firstFactor: .password, intent: intent, app: app)
        case .confirmationNeeded, .alreadyLinked: throw FirebaseRefusal.malformed("it is about a provider, and none was asked about")
        }
    }

    /// The project's error does not say which address is taken.
    func naming<Value: Sendable>(_ email: String?, _ work: @DaemonActor () async throws -> Value) async throws -> Value {
        do { return try await work() } catch let refusal as FirebaseRefusal where refusal.code == .emailAlreadyInUse {
            throw AccountRefusal.emailAlreadyInUse(email: email?.lowercased() ?? "")
        }
    }

    static let emptyPassword = FirebaseRefusal(.weakPassword, detail: "an empty password is none")
}
