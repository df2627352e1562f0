import PosternConfiguration
import PosternCore

/// The accounts of a Firebase project, through its Identity Toolkit. Who is signed in is kept here; everything else is the project's
/// business.
///
/// A sign-in is on disk before it is answered. If the project's answer does not arrive, nothing changes here.
@DaemonActor
final class FirebaseAccounts: Grounded, AccountAuthority {
    let ground: Ground
    let providers: ProviderDirectory
    /// For credentials whose user is gone.
    let revocation: Revocation
    /// The name under which the users are kept; nil if the project's key cannot be obtained.
    private var projectName: String?
    private var queues: [AppName: Queue] = [:]
    let renewal: TokenRenewal
    /// Most operations begin at the project.
    let beginsInStore = false
    /// Sign-ins that wait for a second factor, by the name that `secondFactorRequired` gives their user.
    var pendingSignIns = ExpiringValues<FirebasePending>()
    /// The same sign-ins, as programs know them.
    var resolvers = ExpiringValues<Resolver>()
    var enrollments = ExpiringValues<PendingEnrollment>()
    /// Anonymous users that the project is creating.
    var anonymousUnderWay = 0
    /// Handles whose credential is being sent to the project.
    var handlesInUse: Set<String> = []

    init(_ ground: Ground, providers: ProviderDirectory, revocation: Revocation) {
        self.ground = ground
        self.providers = providers
        self.revocation = revocation
        renewal = TokenRenewal(platform: ground.platform)
        projectName = (try? ground.settings.firebase?.get())?.name
    }

    /// What waits for a code came from the previous project, and is of no concern to another.
    func configurationChanged() {
        let name = (try? ground.settings.firebase?.get())?.name
        guard name != projectName else { return }
        projectName = name
        forgetWaiting()
    }

    /// What waiting programs would continue with is in memory, decrypted: they sign in again.
    func storeLocked() { forgetWaiting() }

    /// If a lock has stopped waiting for the project, its answer is not kept: nothing would delete it from memory.
    func requireStore() throws(AccountFailure) { _ = try store.forAccounts }

    /// First factors that wait for a second one do not say whose they are, so all of them are forgotten.
    func forgetWaiting() {
        pendingSignIns = ExpiringValues()
        resolvers = ExpiringValues()
        enrollments = ExpiringValues()
    }

    // MARK: The project

    func configured() throws(AccountFailure) -> FirebaseProject { try AccountFailure.wrapping(project: project()) }

    private func project() throws(FirebaseRefusal) -> FirebaseProject {
        guard let project = settings.firebase else { throw FirebaseRefusal(.invalidAPIKey, detail: "[accounts] names no project") }
        do throws(SecretError) { return try project.get() } catch {
            let isUnknown = settings.configuration.accounts.doubt != nil
            throw FirebaseRefusal(.invalidAPIKey, detail: "[accounts] \(isUnknown ? "is not used" : "api-key cannot be read"): \(error)")
        }
    }

    /// Sends a request once. If another project was configured before the answer arrived, the answer is discarded: its tokens are not shown
    /// to another project.
    func ask(_ make: (FirebaseRequest) -> ProviderRequest) async throws(AccountFailure) -> FirebaseAnswer {
        let project = try configured()
        do throws(FirebaseRefusal) {
            let response = try await providers.send(toFirebase: make(FirebaseRequest(to: project)))
            let answer = try FirebaseAnswer(response, now: platform.now)
            try requireProject(project.name)
            return answer
        } catch {
            events.report(.providerProblem, "the Firebase project refused: \(error)", level: .info)
            throw .firebase(error)
        }
    }

    /// Sends a request on behalf of a user. If the project says that the user's tokens are no longer valid, the app is signed out.
    func ask(
        as session: FirebaseSession, _ make: (FirebaseRequest, _ idToken: Secret) -> ProviderRequest
    ) async throws(AccountFailure) -> FirebaseAnswer {
        do throws(AccountFailure) {
            try requireConfigured(session.project)
            return try await ask { make($0, session.tokens.idToken) }
        } catch {
            if let refusal = error.firebase, refusal.endsSession { try await forget(session, because: refusal) }
            throw error
        }
    }

    /// - Throws: if the configuration names another project by now.
    func requireConfigured(_ name: String) throws(AccountFailure) { try AccountFailure.wrapping(project: requireProject(name)) }

    private func requireProject(_ name: String) throws(FirebaseRefusal) {
        guard try project().name != name else { return }
        throw FirebaseRefusal(.networkError, detail: "another project was configured in the meantime; ask again")
    }

    // MARK: Order

    private struct Queue {
        let turns = SerialWork()
        var count = 0
    }

    /// Changes of an app's user, or of what that user has, are made one after another; signing out does not wait for them.
    ///
    /// A change counts from the moment it starts to wait: the project may have carried out something already, and gives its new tokens only
    /// once.
    func alone<Value: Sendable>(
        _ app: AppName, _ work: @DaemonActor () async throws(AccountFailure) -> Value
    ) async throws(AccountFailure) -> Value {
        try await platform.work.count(.toBeKept) { () async throws(AccountFailure) in try await inTurn(app, work) }
    }

    /// As ``alone(_:_:)``, for whoever is signed in to the app when it is asked for: what waited while somebody else signed in is not done
    /// to them.
    func aloneForUser<Value: Sendable>(
        of app: AppName, _ work: @DaemonActor () async throws(AccountFailure) -> Value
    ) async throws(AccountFailure) -> Value {
        try await platform.work.count(.toBeKept) { () async throws(AccountFailure) in
            guard let asked = try await pageOwner(app: app) else { throw .refused(.noCurrentUser, app: app) }
            return try await inTurn(app) { () async throws(AccountFailure) in
                guard let present = try await self.pageOwner(app: app) else { throw .refused(.noCurrentUser, app: app) }
                guard present.signIn == asked.signIn else { throw .refused(.userMismatch, app: app) }
                return try await work()
            }
        }
    }

    /// What is about the app's user, as ``aloneForUser(of:_:)``.
    func alone<Value: Sendable>(
        _ app: AppName, for intent: Intent, _ work: @DaemonActor () async throws(AccountFailure) -> Value
    ) async throws(AccountFailure) -> Value {
        switch intent {
        case .signIn, .credential: try await alone(app, work)
        case .link, .reauthenticate: try await aloneForUser(of: app, work)
        }
    }

    private func inTurn<Value: Sendable>(
        _ app: AppName, _ work: @DaemonActor () async throws(AccountFailure) -> Value
    ) async throws(AccountFailure) -> Value {
        queues[app, default: Queue()].count += 1
        let turns = queues[app, default: Queue()].turns
        await turns.begin()
        defer {
            turns.end()
            queues[app]?.count -= 1
            if queues[app]?.count == 0 { queues[app] = nil }
        }
        return try await work()
    }

    func randomID() throws(AccountFailure) -> String { Base64URL.encode(try platform.accountBytes(24)) }
}

extension FirebaseProject {
    /// The name under which the users of this project are kept. With a project ID, the key may be replaced by another one of the same
    /// project.
    var name: String { "\(emulator ?? "google")|\(projectID ?? "key \(apiKey.reveal())")" }
}
