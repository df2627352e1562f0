import PosternClient
import StrictJSON
import Synchronization
import Testing
import Varlink

@testable import TestDaemon
@testable import postern

@Suite("Which account answers a helper")
struct HelperDecisionTests {
    static let url = "https://git.example.org/org/repo"

    static func served(
        _ provider: String, uid: String? = "1", account: String? = nil, name: String? = nil, prefix: String = "https://git.example.org",
        rank: Int = 1
    ) -> ServedAccount {
        ServedAccount(providerID: provider, uid: uid, account: account, displayName: name, prefix: prefix, signedIn: uid != nil, rank: rank)
    }

    static func token(_ text: String = "at-1", uid: String = "1", type: String = "Bearer", secret: Secret? = nil) -> TestDaemon.Answer {
        .replies([
            Interface.GetAccessToken.Reply(
                accessToken: Secret(text), tokenType: type, secret: secret, expiresAt: "2026-01-01T00:00:00Z", scopes: [], uid: uid
            ).object
        ])
    }

    static func refusal(_ error: InterfaceError) -> TestDaemon.Answer {
        .error(error.name, error.object)
    }

    /// A daemon where these accounts serve every URL.
    private func daemon(
        _ accounts: [ServedAccount], near: [String]? = nil, reason: String? = nil,
        _ answer: @escaping @Sendable (VarlinkCall) -> TestDaemon.Answer = { _ in token() }
    ) throws -> TestDaemon {
        try TestDaemon { call in
            guard call.method == "io.postern.FindAccount" else { return answer(call) }
            return .replies([Interface.FindAccount.Reply(accounts: accounts, near: near, reason: reason).object])
        }
    }

    private func ask(_ daemon: TestDaemon, _ request: HelperRequest = HelperRequest(subject: .url(url))) -> HelperAnswer {
        HelperDecision(socketPath: daemon.path, say: { _ in }).answer(request)
    }

    private func asked(_ daemon: TestDaemon) throws -> [Interface.GetAccessToken] {
        try daemon.calls.filter { $0.method == "io.postern.GetAccessToken" }.map { try Interface.GetAccessToken(object: $0.parameters) }
    }

    @Test("the account that serves the URL gives its token, whoever it is")
    func one() throws {
        let daemon = try daemon([Self.served("work", uid: "7")]) { _ in Self.token(uid: "7") }
        #expect(
            ask(daemon)
                == .token(
                    HelperToken(
                        secret: "at-1", expiry: 1_767_225_600, tokenType: "Bearer", providerID: "work", uid: "7",
                        prefix: "https://git.example.org")))
        #expect(try asked(daemon) == [Interface.GetAccessToken(providerID: "work", uid: "7")])
        #expect(try Interface.FindAccount(object: #require(daemon.calls.first).parameters).url == Self.url)
    }

    @Test("a daemon that takes longer than the other program waits is given up")
    func patience() throws {
        let daemon = try TestDaemon { _ in .silence(after: []) }
        let answer = ask(daemon, HelperRequest(subject: .url(Self.url), patience: 1))
        guard case .noDaemon(let sentence) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(sentence.contains("did not answer in time"))
    }

    @Test("a named account is asked for by its name, which has its scopes and its service")
    func named() throws {
        let daemon = try daemon([Self.served("git", account: "work")])
        guard case .token(let token) = ask(daemon) else { return #expect(Bool(false)) }
        #expect(token.account == "work" && token.providerID == "git")
        #expect(try asked(daemon) == [Interface.GetAccessToken(providerID: "work")])
    }

    @Test("if no account serves the URL, no token is requested")
    func nobody() throws {
        let daemon = try daemon([])
        #expect(
            ask(daemon)
                == .nothing(
                    "no account's tokens are for \(Self.url); if they should be, put that under `serves` of a provider or `for` of an account"))
        #expect(try asked(daemon).isEmpty)
    }

    @Test(
        "where an account comes near that is said, and how the path is sent only if the path decides",
        arguments: [
            ("https://git.example.org", ["https://git.example.org/acme/"], "advice", "no; advice"),
            ("https://git.example.org", ["https://GIT.example.org/acme/"], "advice", "no; advice"),
            ("https://git.example.org", ["https://git.example.org:8443"], "advice", "no"),
            ("https://git.example.org", ["https://git.example.org.example/acme/"], "advice", "no"),
            ("https://git.example.org/x", ["https://git.example.org/acme/"], nil, "no"),
        ] as [(String, [String], String?, String)])
    func near(url: String, near: [String], advice: String?, sentence: String) throws {
        let request = HelperRequest(subject: .url(url), pathAdvice: advice)
        #expect(ask(try daemon([], near: near, reason: "no"), request) == .nothing(sentence, isNear: true))
        let rivals = [Self.served("git", account: "work"), Self.served("git", uid: "2")]
        #expect(ask(try daemon(rivals, near: near, reason: "no"), request) == .unavailable(sentence))
    }

    @Test(
        "a URL that the daemon does not take serves nobody",
        arguments: [
            TestDaemon.Answer.error("org.varlink.service.InvalidParameter", ["parameter": "url"]),
            refusal(.originNotServed(message: "m", origin: "")),
        ])
    func noURL(answer: TestDaemon.Answer) throws {
        let daemon = try TestDaemon { _ in answer }
        guard case .nothing = ask(daemon) else { return #expect(Bool(false)) }
        #expect(daemon.calls.count == 1)
    }

    @Test("what sends the token on gets one only for a URL that the user has named")
    func configured() throws {
        var builtIn = Self.served("github.com")
        builtIn.builtIn = true
        let request = HelperRequest(subject: .url(Self.url), wantsConfiguredURL: true)
        let named = HelperRequest(subject: .name("github.com", destination: Self.url), wantsConfiguredURL: true)
        for request in [request, named] {
            let daemon = try daemon([builtIn])
            guard case .nothing(let sentence, true) = ask(daemon, request) else { return #expect(Bool(false), "a token was given") }
            #expect(sentence.contains("`serves`") && sentence.contains(Self.url))
            #expect(try asked(daemon).isEmpty)
        }
        let (known, own) = (try daemon([builtIn]), try daemon([Self.served("work")]))
        #expect(ask(known).isToken && ask(own, request).isToken)
    }

    @Test("the closest account is meant, signed in or not")
    func closest() throws {
        let near = Self.served("git", uid: nil, account: "work", prefix: "https://git.example.org/org/")
        let daemon = try daemon([near, Self.served("git", account: "home", rank: 2)]) { _ in
            Self.refusal(.signInRequired(message: "m", providerID: "git", reason: "nobody has signed in"))
        }
        #expect(ask(daemon) == .signInNeeded("work: nobody has signed in; sign in with: postern sign-in work"))
        #expect(try asked(daemon).map(\.providerID) == ["work"])
    }

    @Test("of those that come equally close the one is meant that is signed in")
    func signedIn() throws {
        let daemon = try daemon([Self.served("git", account: "work"), Self.served("git", uid: nil, account: "home")])
        guard case .token = ask(daemon) else { return #expect(Bool(false)) }
        #expect(try asked(daemon).map(\.providerID) == ["work"])
    }

    @Test("the same account under two prefixes is one")
    func same() throws {
        let daemon = try daemon([Self.served("git"), Self.served("git", prefix: "https://git.example.org/")])
        guard case .token = ask(daemon) else { return #expect(Bool(false)) }
    }

    @Test("several equally close accounts are not chosen from arbitrarily")
    func several() throws {
        let daemon = try daemon([Self.served("git", account: "work"), Self.served("git", uid: "2")])
        guard case .unavailable(let sentence) = ask(daemon) else { return #expect(Bool(false)) }
        #expect(sentence.contains("work, 2"))
        #expect(try asked(daemon).isEmpty)
        // The one that the provider's name means, for example: the daemon ranks, not the URL.
        let ranked = try self.daemon([Self.served("git", account: "work"), Self.served("git", uid: "2", rank: 2)])
        #expect(ask(ranked).isToken)
        #expect(try asked(ranked).map(\.providerID) == ["work"])
    }

    @Test("a user name chooses, by any name of the account", arguments: ["home", "2", "ada@example.com"])
    func user(name: String) throws {
        let accounts = [
            Self.served("git", account: "work", prefix: "https://git.example.org/org"),
            Self.served("git", uid: "2", account: "home", name: "ada@example.com", rank: 2),
        ]
        let daemon = try daemon(accounts)
        guard case .token = ask(daemon, HelperRequest(subject: .url(Self.url, user: name))) else { return #expect(Bool(false)) }
        #expect(try asked(daemon).map(\.providerID) == ["home"])
    }

    @Test("a user name that only the daemon knows is asked for, among the accounts that serve the URL")
    func unknownUser() throws {
        let accounts = [Self.served("git", uid: "1"), Self.served("git", uid: "2")]
        let request = HelperRequest(subject: .url(Self.url, user: "ada"))
        let known = try daemon(accounts) { _ in Self.token(uid: "2") }
        guard case .token(let token) = ask(known, request) else { return #expect(Bool(false)) }
        #expect(token.uid == "2")
        #expect(try asked(known) == [Interface.GetAccessToken(providerID: "git", account: "ada")])
        // Known, and its tokens are for somewhere else.
        let elsewhere = try daemon(accounts) { _ in Self.token(uid: "3") }
        guard case .nothing = ask(elsewhere, request) else { return #expect(Bool(false)) }
        let unknown = try daemon(accounts) { _ in Self.refusal(.signInRequired(message: "m", providerID: "git", reason: "nobody")) }
        guard case .nothing = ask(unknown, request) else { return #expect(Bool(false)) }
    }

    @Test("where nobody has signed in, a user name does not keep that from being said")
    func nobodyYet() throws {
        let daemon = try daemon([Self.served("git", uid: nil)]) { _ in Self.needed }
        guard case .signInNeeded = ask(daemon, HelperRequest(subject: .url(Self.url, user: "ada"))) else { return #expect(Bool(false)) }
    }

    @Test("a name is asked for as it is, and with a destination only where its tokens are for that")
    func destination() throws {
        let daemon = try daemon([Self.served("git", uid: "1", account: "work")])
        guard case .token = ask(daemon, HelperRequest(subject: .name("other"))) else { return #expect(Bool(false)) }
        guard case .token = ask(daemon, HelperRequest(subject: .name("work", destination: Self.url))) else { return #expect(Bool(false)) }
        guard case .nothing = ask(daemon, HelperRequest(subject: .name("other", destination: Self.url))) else { return #expect(Bool(false)) }
        #expect(try asked(daemon).map(\.providerID) == ["other", "work"])
    }

    @Test("the token of another account than the one that is for the destination stays")
    func otherAccount() throws {
        let daemon = try daemon([Self.served("git", uid: "1")]) { _ in Self.token(uid: "2") }
        guard case .nothing = ask(daemon, HelperRequest(subject: .name("git", destination: Self.url))) else { return #expect(Bool(false)) }
    }

    @Test("scopes, service, validity and force go into the call, and an ID token is another one")
    func parameters() throws {
        let daemon = try TestDaemon { call in
            guard call.method == "io.postern.GetIDToken" else { return Self.token() }
            return .replies([Interface.GetIDToken.Reply(idToken: "id-1", expiresAt: "2026-01-01T00:00:00Z", uid: "1").object])
        }
        var request = HelperRequest(
            subject: .name("work"), scopes: ["a"], resource: "https://r.example", minimumValiditySeconds: 300)
        _ = ask(daemon, request)
        request.kind = .idToken
        guard case .token(let token) = ask(daemon, request) else { return #expect(Bool(false)) }
        #expect(token.secret == "id-1" && token.expiry == 1_767_225_600)
        #expect(
            try asked(daemon) == [
                Interface.GetAccessToken(
                    providerID: "work", scopes: ["a"], resource: "https://r.example", minimumValiditySeconds: 300)
            ])
        #expect(
            try Interface.GetIDToken(object: #require(daemon.calls.last).parameters)
                == Interface.GetIDToken(providerID: "work", minimumValiditySeconds: 300))
    }

    @Test(
        "what no header can hold, or is no use alone, is not handed on",
        arguments: [token("a\nb"), token("a b"), token(""), token("é"), token("a\0"), token(type: "DPoP"), token(secret: "s")])
    func unfit(answer: TestDaemon.Answer) throws {
        let daemon = try daemon([Self.served("work")]) { _ in answer }
        guard case .unavailable = ask(daemon) else { return #expect(Bool(false)) }
    }

    enum Outcome { case nothing, signInNeeded, unavailable, noDaemon }

    @Test(
        "every error of the daemon is one of four answers",
        arguments: [
            (refusal(.signInRequired(message: "m", providerID: "p", reason: "r")), .signInNeeded),
            (refusal(.scopeNotGranted(message: "m", missing: ["a", "b"])), .signInNeeded),
            (refusal(.stepUpRequired(message: "m", providerID: "p", scopes: ["a"], acrValues: ["b"])), .signInNeeded),
            (refusal(.providerNotFound(message: "m", providerID: "p")), .nothing),
            (refusal(.providerNotConfigured(message: "m", providerID: "p")), .nothing),
            (refusal(.userNotFound(message: "m")), .nothing),
            (refusal(.ambiguousAccount(message: "m", uids: ["1", "2"])), .unavailable),
            (refusal(.providerUnreachable(message: "m", providerID: "p")), .unavailable),
            (refusal(.exchangeFailed(message: "m", providerID: "p")), .unavailable),
            (refusal(.storeLocked(message: "m")), .unavailable),
            (refusal(.tooManyAttempts(message: "m", retryAfterSeconds: 1)), .unavailable),
            (refusal(.internalError(message: "m")), .unavailable),
            (.error("org.varlink.service.InvalidParameter", ["parameter": "scopes"]), .unavailable),
            (.error("org.varlink.service.MethodNotFound", ["method": "m"]), .noDaemon),
            (.hangUp, .unavailable), (.raw(Array("x\0".utf8)), .noDaemon),
        ] as [(TestDaemon.Answer, Outcome)])
    func errors(answer: TestDaemon.Answer, outcome: Outcome) throws {
        let daemon = try TestDaemon { _ in answer }
        let told = ask(daemon, HelperRequest(subject: .name("p")))
        switch told {
        case .nothing: #expect(outcome == .nothing)
        case .signInNeeded(let sentence):
            #expect(outcome == .signInNeeded)
            #expect(sentence.contains("postern sign-in p"))
        case .unavailable: #expect(outcome == .unavailable)
        case .noDaemon: #expect(outcome == .noDaemon)
        case .token: Issue.record("a token")
        }
    }

    @Test("without a daemon that is what is said")
    func noDaemon() {
        let answer = HelperDecision(socketPath: "/nonexistent/s", say: { _ in }).answer(HelperRequest(subject: .url(Self.url)))
        guard case .noDaemon(let sentence) = answer else { return #expect(Bool(false)) }
        #expect(sentence.contains("/nonexistent/s") && !sentence.contains("\n"))
    }

    @Test("a sentence is one line, whatever the provider says")
    func oneLine() throws {
        let daemon = try TestDaemon { _ in Self.refusal(.signInRequired(message: "m", providerID: "p", reason: "x\n\u{1B}[2Jquit=0")) }
        guard case .signInNeeded(let sentence) = ask(daemon, HelperRequest(subject: .name("p"))) else { return #expect(Bool(false)) }
        #expect(!sentence.contains("\n") && !sentence.contains("\u{1B}"))
    }

    // MARK: Pages

    private static func pageDaemon(_ first: TestDaemon.Answer, _ page: TestDaemon.Answer) throws -> TestDaemon {
        let signedIn = Mutex(false)
        return try TestDaemon { call in
            switch call.method {
            case "io.postern.SignIn":
                signedIn.withLock { $0 = true }
                return page
            default: return signedIn.withLock { $0 } ? token() : first
            }
        }
    }

    static let needed = refusal(.signInRequired(message: "m", providerID: "p", reason: "r"))

    @Test("a page is opened where that is allowed, and the token that comes of it is the answer")
    func page() throws {
        let daemon = try Self.pageDaemon(Self.needed, .replies([Sample.event(.completed)]))
        guard case .signInNeeded = ask(daemon, HelperRequest(subject: .name("p"))) else { return #expect(Bool(false)) }
        guard case .token = ask(daemon, HelperRequest(subject: .name("p"), scopes: ["a"], mayOpenPage: true)) else {
            return #expect(Bool(false))
        }
        let pages = daemon.calls.filter { $0.method == "io.postern.SignIn" }
        #expect(
            try pages.map { try Interface.SignIn(object: $0.parameters) } == [
                Interface.SignIn(providerID: "p", intent: .keep, scopes: ["a"], presentation: .daemon)
            ])
    }

    @Test("a user who refuses there is not asked again")
    func declined() throws {
        let denied = Self.refusal(.signInDenied(message: "m", providerID: "p", error: "access_denied"))
        let daemon = try Self.pageDaemon(Self.needed, denied)
        guard case .signInNeeded = ask(daemon, HelperRequest(subject: .name("p"), mayOpenPage: true)) else { return #expect(Bool(false)) }
        #expect(daemon.calls.count { $0.method == "io.postern.SignIn" } == 1)
    }

    @Test("an error on the provider's page is not a refusal, and no other page is recommended")
    func trouble() throws {
        let trouble = Self.refusal(.signInDenied(message: "m", providerID: "p", error: "server_error"))
        let daemon = try Self.pageDaemon(Self.needed, trouble)
        guard case .unavailable("m") = ask(daemon, HelperRequest(subject: .name("p"), mayOpenPage: true)) else { return #expect(Bool(false)) }
    }

    @Test(
        "a failure that passes opens no page",
        arguments: [
            refusal(.providerUnreachable(message: "m", providerID: "p")), refusal(.exchangeFailed(message: "m", providerID: "p")),
            refusal(.storeLocked(message: "m")), .hangUp,
        ])
    func passing(answer: TestDaemon.Answer) throws {
        let daemon = try Self.pageDaemon(answer, .replies([Sample.event(.completed)]))
        guard case .unavailable = ask(daemon, HelperRequest(subject: .name("p"), mayOpenPage: true)) else { return #expect(Bool(false)) }
        #expect(!daemon.calls.contains { $0.method == "io.postern.SignIn" })
    }

    // MARK: Refused by the server

    @Test("a refused token is reported, whosever it is")
    func refused() throws {
        let daemon = try TestDaemon { _ in .replies([[:]]) }
        HelperDecision(socketPath: daemon.path, say: { _ in }).refused("at-9", at: Self.url)
        #expect(daemon.calls.map(\.method) == ["io.postern.ReportRefusedToken"])
        let report = try Interface.ReportRefusedToken(object: #require(daemon.calls.first).parameters)
        #expect(report == Interface.ReportRefusedToken(url: Self.url, accessToken: "at-9"))
    }
}

extension HelperAnswer {
    fileprivate var isToken: Bool { if case .token = self { true } else { false } }
}
