import Glibc
import PosternInterface
import StrictJSON

/// Signs a person in and hands out their tokens, through the daemon of this user.
///
///     let client = PosternClient(app: "my-tool")
///     let result = try await client.signIn(with: "github.com")
///     print("hello, \(result.user.displayName ?? result.user.uid)")
///     let token = try await client.accessToken(for: "github.com")
///
/// Each call has its own connection, on its own thread that reads and waits: a sign-in may take minutes, and the
/// threads of Swift tasks are too few to be blocked. Cancelling the task closes the connection, which gives up this
/// program's share of a sign-in; the call then throws `CancellationError`. Everything else that goes wrong is a ``PosternError``.
public struct PosternClient: Sendable {
    /// Whose users are meant; each app has its own current user.
    public var app: String
    public var socketPath: String
    /// The users whose daemon is meant, as numbers: a daemon of anybody else is told nothing. This process's own user alone, unless others
    /// are named; root's is no exception.
    public var servers: [UInt32]

    public init(app: String = "default", socketPath: String = SocketPath.current, servers: [UInt32] = [geteuid()]) {
        self.app = app
        self.socketPath = socketPath
        self.servers = servers
    }

    // MARK: Signing in

    /// Opens the provider's page for the person, waits for them, and makes them the app's current user.
    ///
    /// Where no browser shows the page its address is written to standard error; ``signInEvents(with:intent:options:)`` leaves that to the
    /// program.
    ///
    /// - Throws: ``PosternError``; ``PosternError/pendingCredential`` and ``PosternError/challenge`` say what can be gone on with.
    public func signIn(with providerID: String, options: SignInOptions = SignInOptions()) async throws -> AuthResult {
        try await result(of: providerID, intent: .signIn, options: options)
    }

    /// Has the provider give a credential; nobody is signed in with it here.
    public func credential(from providerID: String, options: SignInOptions = SignInOptions()) async throws -> Credential {
        let event = try await completedSignIn(with: providerID, intent: .credential, options: options)
        guard let credential = event.credential else {
            throw PosternError.malformedReply(reason: "a completed sign-in without its credential")
        }
        return credential
    }

    /// The changes of a sign-in as they happen; the last one is `completed`. Who stops listening gives up their share.
    public func signInEvents(
        with providerID: String, intent: Intent = .signIn, options: SignInOptions = SignInOptions()
    ) -> AsyncThrowingStream<SignInEvent, any Error> {
        replies(to: parameters(providerID, intent, options)) { $0.event }
    }

    /// Takes up a sign-in again after a lost connection.
    public func attach(to sessionID: String) -> AsyncThrowingStream<SignInEvent, any Error> {
        attachSession(sessionID: sessionID)
    }

    func result(of providerID: String, intent: Intent, options: SignInOptions) async throws -> AuthResult {
        let event = try await completedSignIn(with: providerID, intent: intent, options: options)
        guard let result = event.result else { throw PosternError.malformedReply(reason: "a completed sign-in without its result") }
        return result
    }

    private func completedSignIn(with providerID: String, intent: Intent, options: SignInOptions) async throws -> SignInEvent {
        var options = options
        // Nobody would be shown the code of another flow, whatever the configuration prefers.
        options.flow = options.flow ?? .browser
        var last: SignInEvent?
        var notice = PageNotice(asked: options.presentation)
        for try await event in signInEvents(with: providerID, intent: intent, options: options) {
            last = event
            if let line = notice.line(for: event) { PageNotice.write(line) }
        }
        // A stream whose task is cancelled just ends.
        try Task.checkCancellation()
        guard let last, last.state == .completed else {
            throw PosternError.malformedReply(reason: "the last event of a sign-in is not its completion")
        }
        return last
    }

    private func parameters(_ providerID: String, _ intent: Intent, _ options: SignInOptions) -> Interface.SignIn {
        Interface.SignIn(
            providerID: providerID, intent: intent, app: app, scopes: options.scopes,
            customParameters: options.customParameters.isEmpty ? nil : options.customParameters, loginHint: options.loginHint,
            flow: options.flow, presentation: options.presentation, timeoutSeconds: options.timeoutSeconds)
    }

    // MARK: Users and tokens

    public func currentUser() async throws -> User? { try await getCurrentUser() }

    /// An access token, refreshed where needed.
    ///
    /// - Parameters:
    ///   - account: the `uid` at the provider, if there are several.
    ///   - minimumValiditySeconds: 60 where nil.
    /// - Throws: ``PosternError/refused(_:)`` with `signInRequired` if no token can be obtained without the user.
    public func accessToken(
        for providerID: String, account: String? = nil, scopes: [String]? = nil, minimumValiditySeconds: Int? = nil,
        forceRefresh: Bool = false
    ) async throws -> String {
        let parameters = Interface.GetAccessToken(
            providerID: providerID, uid: account, scopes: scopes, minimumValiditySeconds: minimumValiditySeconds,
            forceRefresh: forceRefresh ? true : nil)
        return try await call(parameters).accessToken.reveal()
    }
}
