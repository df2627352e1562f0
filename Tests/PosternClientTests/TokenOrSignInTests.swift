import PosternClient
import StrictJSON
import Synchronization
import Testing

@testable import TestDaemon

@Suite("A token, after a sign-in if there is none")
struct TokenOrSignInTests {
    private static func account(_ uid: String = "demo-1815", at providerID: String = "demo", scopes: [String] = ["openid"]) -> StoredCredential {
        StoredCredential(
            providerID: providerID, uid: uid, displayName: "Ada Lovelace", email: "ada@example.com", scopes: scopes, refreshable: true,
            state: .good, keptBy: [""])
    }

    private static let nobody = InterfaceError.signInRequired(
        message: "nobody has signed in at Demo yet", providerID: "demo", reason: "nobody has signed in")

    /// Refuses a token until somebody has signed in.
    private static func daemon(
        stored: [StoredCredential] = [], refusal: InterfaceError = nobody, kept: StoredCredential = account(),
        first: SignInEvent? = nil, end: InterfaceError? = nil
    ) throws -> TestDaemon {
        let isSignedIn = Mutex(false)
        return try TestDaemon { call in
            switch call.method {
            case "io.postern.GetAccessToken":
                return isSignedIn.withLock(\.self) ? .replies([Sample.token.object]) : .error(refusal.name, refusal.object)
            case "io.postern.SignIn":
                if let end { return .error(end.name, end.object) }
                isSignedIn.withLock { $0 = true }
                let events = [first ?? event(), SignInEvent(sessionID: "s1", state: .completed, expiresAt: time, account: kept)]
                return .replies(events.map { Interface.SignIn.Reply(event: $0).object })
            case "io.postern.ListCredentials":
                return .replies([Interface.ListCredentials.Reply(credentials: isSignedIn.withLock(\.self) ? [kept] : stored).object])
            default:
                let provider = Provider(
                    providerID: "demo", displayName: "Demo", kind: .oidc, flows: [.browser], scopes: ["openid", "email"], configured: true)
                return .replies([Interface.ListProviders.Reply(providers: [provider]).object])
            }
        }
    }

    private static let time = "2026-11-21T06:34:00Z"

    private static func event(problem: String? = nil) -> SignInEvent {
        SignInEvent(
            sessionID: "s1", state: .authorizationPending, expiresAt: time, authorizationURL: "https://provider.example/authorize",
            pageProblem: problem)
    }

    private func signIn(of daemon: TestDaemon) throws -> Interface.SignIn {
        let call = try #require(daemon.calls.first { $0.method == "io.postern.SignIn" })
        return try Interface.SignIn(object: call.parameters)
    }

    @Test("one that is there is given with its account, and nobody signs in")
    func isThere() async throws {
        let others = [Self.account(at: "other"), Self.account("7"), Self.account()]
        let daemon = try TestDaemon { call in
            .replies([
                call.method == "io.postern.GetAccessToken"
                    ? Sample.token.object : Interface.ListCredentials.Reply(credentials: others).object
            ])
        }
        let token = try await PosternClient(app: "my-tool", socketPath: daemon.path).tokenOrSignIn(with: "demo")
        #expect(token.accessToken == "secret-token" && token.tokenType == "Bearer" && token.account == Self.account())
        #expect(token.who == "ada@example.com" && !"\(token)".contains("secret-token"))
        #expect(daemon.calls.map(\.method) == ["io.postern.GetAccessToken", "io.postern.ListCredentials"])
        #expect(daemon.calls.map(\.parameters) == [["providerID": "demo"], [:]])
    }

    @Test("if there is none, the account is kept for the person, whatever the app, and the token is that account's")
    func isKept() async throws {
        let daemon = try Self.daemon()
        let client = PosternClient(app: "my-tool", socketPath: daemon.path)
        let token = try await client.tokenOrSignIn(with: "poet", minimumValiditySeconds: 300)
        #expect(token.account.uid == "demo-1815")
        #expect(try signIn(of: daemon) == Interface.SignIn(providerID: "poet", intent: .keep, presentation: .daemon))
        let last = try #require(daemon.calls.last { $0.method == "io.postern.GetAccessToken" })
        #expect(last.parameters == ["providerID": "demo", "uid": "demo-1815", "minimumValiditySeconds": 300])
    }

    @Test("an account that is named is expected, and the token is asked for by the same name again")
    func named() async throws {
        let daemon = try Self.daemon()
        _ = try await PosternClient(socketPath: daemon.path).tokenOrSignIn(with: "demo", account: "ada@example.com")
        #expect(try signIn(of: daemon).loginHint == "ada@example.com")
        #expect(
            daemon.calls.filter { $0.method == "io.postern.GetAccessToken" }.map(\.parameters)
                == [["providerID": "demo", "account": "ada@example.com"], ["providerID": "demo", "account": "ada@example.com"]])
    }

    @Test(
        "scopes are asked for beside those that the account has, or that its provider is usually asked for",
        arguments: [
            ([], nobody, ["openid", "email", "repo"]),
            ([account(scopes: ["openid", "x"])], .scopeNotGranted(message: "no", missing: ["repo"]), ["openid", "x", "repo"]),
        ] as [([StoredCredential], InterfaceError, [String])])
    func scopes(stored: [StoredCredential], refusal: InterfaceError, asked: [String]) async throws {
        let daemon = try Self.daemon(stored: stored, refusal: refusal)
        let options = SignInOptions(scopes: ["repo"], timeoutSeconds: 60)
        _ = try await PosternClient(socketPath: daemon.path).tokenOrSignIn(with: "demo", options: options)
        let call = try signIn(of: daemon)
        #expect(call.scopes == asked && call.timeoutSeconds == 60)
        #expect(daemon.calls.first?.parameters["scopes"] == ["repo"])
    }

    @Test(
        "an error that a sign-in cannot fix opens no page",
        arguments: [
            InterfaceError.storeLocked(message: "the store is locked"), .ambiguousAccount(message: "several", uids: ["1", "2"]),
            .providerNotConfigured(message: "no client", providerID: "demo"),
        ])
    func otherErrors(error: InterfaceError) async throws {
        let daemon = try Self.daemon(refusal: error)
        await #expect(throws: PosternError.refused(error)) {
            try await PosternClient(socketPath: daemon.path).tokenOrSignIn(with: "demo")
        }
        #expect(daemon.calls.map(\.method) == ["io.postern.GetAccessToken"])
    }

    @Test("a user who refuses is not asked again")
    func denied() async throws {
        let denial = InterfaceError.signInDenied(message: "Access was not granted.", providerID: "demo", error: "access_denied")
        let daemon = try Self.daemon(end: denial)
        await #expect(throws: PosternError.refused(denial)) {
            try await PosternClient(socketPath: daemon.path).tokenOrSignIn(with: "demo")
        }
        #expect(daemon.calls.count { $0.method == "io.postern.SignIn" } == 1)
    }

    @Test("a page that no browser shows is an error at once where nobody would read its address", arguments: [true, false])
    func attended(isAttended: Bool) async throws {
        let daemon = try Self.daemon(first: Self.event(problem: "browser is \"none\""))
        var attended = PosternClient(socketPath: daemon.path)
        attended.isAttended = { isAttended }
        let client = attended
        if isAttended {
            #expect(try await client.tokenOrSignIn(with: "demo").who == "ada@example.com")
        } else {
            await #expect(throws: PosternError.refused(Self.nobody)) { try await client.tokenOrSignIn(with: "demo") }
        }
    }

    @Test("an account that is signed out between the calls is a sign-in that is needed")
    func signedOut() async throws {
        let daemon = try TestDaemon { call in
            switch call.method {
            case "io.postern.GetAccessToken": .replies([Sample.token.object])
            case "io.postern.ListCredentials": .replies([Interface.ListCredentials.Reply(credentials: []).object])
            default: .error(Self.nobody.name, Self.nobody.object)
            }
        }
        await #expect(throws: PosternError.refused(Self.nobody)) {
            try await PosternClient(socketPath: daemon.path).tokenOrSignIn(with: "demo")
        }
        #expect(daemon.calls.last?.method == "io.postern.SignIn")
    }

    @Test("the events of a sign-in that keeps an account name no app either")
    func events() async throws {
        let daemon = try Self.daemon()
        for try await _ in PosternClient(app: "my-tool", socketPath: daemon.path).signInEvents(with: "demo", intent: .keep) {}
        #expect(try signIn(of: daemon).app == nil)
    }
}
