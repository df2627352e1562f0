// PosternClient: the library for Swift programs.
//
// Knows the socket, the calls, and what each error means for a program. Every declaration is documented (PosternClient.docc).
//
// Does not know the daemon's modules, and needs no dependency but Glibc. A call that waits has a thread of its own.
//
// Imports: Varlink, PosternInterface, StrictJSON, Glibc.
// Start: PosternClient.swift, PosternConnection.swift, PosternError.swift.

import Glibc
import PosternInterface
import StrictJSON

/// Gives programs tokens of the person's accounts, and signs users in, through this user's daemon.
///
///     let client = PosternClient()
///     // Opens the page in the browser if there is no token yet.
///     let token = try await client.tokenOrSignIn(with: "github.com")
///     print("the account is \(token.who)")
///     send(request, authorization: "Bearer \(token.accessToken)")
///
/// An app that has users of its own signs them in with ``signIn(with:options:)`` instead.
///
/// Each call has its own connection and its own thread, which reads and waits: a sign-in may take minutes, and there are too few Swift task
/// threads to block one. At most 64 calls of a process are made at once, and further ones wait for their turn; that does not include those
/// that wait for a person. Cancelling the task closes the connection, which gives up this program's share of a sign-in; the call then throws
/// `CancellationError`. All other errors are of type ``PosternError``.
public struct PosternClient: Sendable {
    /// The app whose users are meant; each app has its own current user.
    public var app: String
    /// Where the daemon listens.
    public var socketPath: String
    /// The numeric IDs of the users whose daemon is accepted. Nothing is sent to any other user's daemon. The default is this process's own
    /// user alone; root's daemon is no exception.
    public var servers: [UInt32]
    package var places = CallPlaces.shared
    /// Whether a person is likely to read what is written to standard error.
    package var isAttended: @Sendable () -> Bool = { PageNotice.isAttended }

    /// Describes a client; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - app: a name of the program's choice.
    ///   - socketPath: by default the one of ``SocketPath/current``.
    ///   - servers: the numeric IDs of the users whose daemon is accepted.
    public init(app: String = "default", socketPath: String = SocketPath.current, servers: [UInt32] = [geteuid()]) {
        self.app = app
        self.socketPath = socketPath
        self.servers = servers
    }

    // MARK: Signing in

    /// Opens the provider's page, waits for the person to sign in, and makes them the app's current user.
    ///
    /// If no browser shows the page, its address is written to standard error, and so is the code if the provider or the configuration uses
    /// the device flow; ``signInEvents(with:intent:options:)`` leaves that to the program.
    ///
    /// - Throws: ``PosternError``; ``PosternError/pendingCredential`` and ``PosternError/challenge`` say how the program can continue.
    public func signIn(with providerID: String, options: SignInOptions = SignInOptions()) async throws -> AuthResult {
        try await result(of: providerID, intent: .signIn, options: options)
    }

    /// Obtains a credential from the provider without signing anybody in.
    ///
    /// - Throws: as ``signIn(with:options:)``.
    public func credential(from providerID: String, options: SignInOptions = SignInOptions()) async throws -> Credential {
        let event = try await completedSignIn(with: providerID, intent: .credential, options: options)
        guard let credential = event.credential else {
            throw PosternError.malformedReply(reason: "a completed sign-in without its credential")
        }
        return credential
    }

    /// The events of a sign-in as they happen; the last one is `completed`. A program that stops listening gives up its share.
    public func signInEvents(
        with providerID: String, intent: Intent = .signIn, options: SignInOptions = SignInOptions()
    ) -> AsyncThrowingStream<SignInEvent, any Error> {
        replies(to: parameters(providerID, intent, options)) { $0.event }
    }

    /// Resumes listening to a sign-in after a lost connection.
    ///
    /// - Parameter sessionID: of one of its events. A result can be fetched once, within about ten minutes.
    public func attach(to sessionID: String) -> AsyncThrowingStream<SignInEvent, any Error> {
        attachSession(sessionID: sessionID)
    }

    func result(of providerID: String, intent: Intent, options: SignInOptions) async throws -> AuthResult {
        let event = try await completedSignIn(with: providerID, intent: intent, options: options)
        guard let result = event.result else { throw PosternError.malformedReply(reason: "a completed sign-in without its result") }
        return result
    }

    /// - Parameter needed: thrown in place of an address or a code that nobody would read; nil: they are written in any case.
    func completedSignIn(
        with providerID: String, intent: Intent, options: SignInOptions, needed: PosternError? = nil
    ) async throws -> SignInEvent {
        var last: SignInEvent?
        var notice = PageNotice(asked: options.presentation)
        for try await event in signInEvents(with: providerID, intent: intent, options: options) {
            last = event
            let lines = notice.lines(for: event)
            if let needed, !lines.isEmpty, !isAttended() { throw needed }
            for line in lines { PageNotice.write(line) }
        }
        // A stream whose task is cancelled simply ends.
        try Task.checkCancellation()
        guard let last, last.state == .completed else {
            throw PosternError.malformedReply(reason: "the last event of a sign-in is not its completion")
        }
        return last
    }

    private func parameters(_ providerID: String, _ intent: Intent, _ options: SignInOptions) -> Interface.SignIn {
        // What is kept for the person concerns no app.
        Interface.SignIn(
            providerID: providerID, intent: intent, app: intent == .keep ? nil : app, scopes: options.scopes,
            customParameters: options.customParameters.isEmpty ? nil : options.customParameters, loginHint: options.loginHint,
            flow: options.flow, presentation: options.presentation, timeoutSeconds: options.timeoutSeconds)
    }

    // MARK: Users and tokens

    /// The app's current user; nil if nobody is signed in.
    public func currentUser() async throws -> User? { try await getCurrentUser() }

    /// An access token, renewed if necessary.
    ///
    /// - Parameters:
    ///   - providerID: the provider's name, or that of an account of the configuration.
    ///   - account: the `uid` at the provider. If it is nil and several accounts are stored for the provider, the error is
    ///     `ambiguousAccount`. For the user who has just signed in, use ``accessToken(of:scopes:minimumValiditySeconds:forceRefresh:)``.
    ///   - scopes: what the token must be good for; nil: whatever was granted.
    ///   - minimumValiditySeconds: how long the token must remain valid; 60 if nil.
    ///   - forceRefresh: renews it even if it is still valid, for instance because an API has refused it. If nothing can renew it, its
    ///     provider is asked whether it is still valid, and the error is `signInRequired` in either case.
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

    /// An access token of the account that the user has just signed in with, however many others are stored for its provider.
    ///
    /// - Parameters:
    ///   - result: the result of a sign-in, a link or a reauthentication with a provider.
    ///   - scopes: what the token must be good for; nil: whatever was granted.
    ///   - minimumValiditySeconds: how long the token must remain valid; 60 if nil.
    ///   - forceRefresh: renews it even if it is still valid.
    /// - Throws: as ``accessToken(for:account:scopes:minimumValiditySeconds:forceRefresh:)``; `noSuchProvider` if the result is that of a
    ///   password.
    public func accessToken(
        of result: AuthResult, scopes: [String]? = nil, minimumValiditySeconds: Int? = nil, forceRefresh: Bool = false
    ) async throws -> String {
        guard let account = result.account else {
            throw PosternError.refused(
                .noSuchProvider(
                    message: "this was not signed in with a provider, and only a provider gives access tokens",
                    providerID: result.additionalUserInfo?.providerID ?? ""))
        }
        return try await accessToken(
            for: account.providerID, account: account.uid, scopes: scopes, minimumValiditySeconds: minimumValiditySeconds,
            forceRefresh: forceRefresh)
    }
}

extension AuthResult {
    /// The account at the provider that the user has just signed in with; nil for a password, or if there is none.
    public var account: ProviderData? {
        guard let providerID = credential?.providerID else { return nil }
        return user.providerData.first { $0.providerID == providerID }
    }
}
