import PosternApplication
import PosternCore
import StrictJSON
import Testing

@Suite("Named accounts, and the requests that they authorize", .serialized)
struct NamedAccountTests {
    private static let configuration =
        TestApplication.example + """

            serves = ["https://work.example", "https://api.example/v1/"]
            [account.acme]
            provider = "work"
            login = "bob@example.com"
            for = ["https://work.example/acme/"]
            [account.any]
            provider = "work"
            """

    private let daemon: TestApplication

    init() throws { daemon = try TestApplication(Self.configuration) }

    /// Somebody signs in with the browser: under a name for the person, else to an app.
    @discardableResult
    private func signIn(
        _ subject: String, _ email: String, as name: String = "work", token: String, intent: String? = nil
    ) -> RecordedReply {
        let intent = intent ?? (["acme", "any"].contains(name) ? "keep" : "signIn")
        let reply = daemon.call("SignIn", ["providerID": .string(name), "intent": .string(intent), "presentation": "client"], more: true)
        daemon.browserReturns("state=\(reply.pageState ?? "")&code=abc")
        daemon.answerToken(token, refreshToken: "r-\(token)")
        daemon.answer(json: #"{"id":"\#(subject)","name":"X","email":"\#(email)"}"#)
        return reply
    }

    private func token(_ parameters: JSONObject) -> JSON? { daemon.call("GetAccessToken", parameters)["accessToken"] }

    /// Those to choose from; nil if that is not the answer.
    private func uids(_ reply: RecordedReply) -> [String]? {
        guard case .ambiguousAccount(_, let uids) = reply.error else { return nil }
        return uids
    }

    private func header(_ parameters: JSONObject) -> JSON? {
        daemon.call("AuthorizeRequest", parameters)["headers"]?.objectValue?["Authorization"]
    }

    @Test("A request after the server refused the token gets a fresh one, and no more than one in ten seconds")
    func refreshed() {
        signIn("1", "ada@example.com", token: "at-1")
        let refused: JSONObject = ["method": "GET", "url": "https://work.example/x", "forceRefresh": true]
        #expect(header(["method": "GET", "url": "https://work.example/x"]) == "Bearer at-1" && !daemon.isAsked)
        let reply = daemon.call("AuthorizeRequest", refused)
        daemon.answerToken("at-2", refreshToken: "r-at-2")
        #expect(reply["headers"]?.objectValue?["Authorization"] == "Bearer at-2")
        daemon.pass(seconds: 9)
        #expect(header(refused) == "Bearer at-2" && !daemon.isAsked)
        daemon.pass(seconds: 1)
        #expect(!daemon.call("AuthorizeRequest", refused).isFinished && daemon.isAsked)
        daemon.answerToken("at-3")
        #expect(header(["method": "GET", "url": "https://work.example/x"]) == "Bearer at-3")
    }

    @Test("A request is authorized with what is stored, as often as it is asked for, and with the next token when that ends")
    func authorizedAgain() {
        signIn("1", "ada@example.com", token: "at-1")
        let request: JSONObject = ["method": "GET", "url": "https://work.example/x"]
        let replies = (0..<2).map { _ in daemon.call("AuthorizeRequest", request) }
        #expect(replies[0]["headers"] == ["Authorization": "Bearer at-1"] && replies[0]["uid"] == "1" && replies[0]["providerID"] == "work")
        #expect(["headers", "uid", "providerID", "expiresAt"].allSatisfy { replies[0][$0] == replies[1][$0] } && !daemon.isAsked)
        // What is wrong with a request is told, whatever is stored.
        for (name, value) in [("method", "G E T"), ("dpopNonce", "a b")] as [(String, JSON)] {
            var wrong = request
            wrong[name] = value
            #expect(daemon.call("AuthorizeRequest", wrong).errorName == "InvalidParameter")
        }
        #expect(daemon.call("AuthorizeRequest", ["method": "GET", "url": "https://evil.example/x"]).errorName == "OriginNotServed")
        daemon.pass(seconds: 3541)
        let renewed = daemon.call("AuthorizeRequest", request)
        #expect(!renewed.isFinished && daemon.isAsked)
        daemon.answerToken("at-2")
        #expect(renewed["headers"] == ["Authorization": "Bearer at-2"])
        #expect(daemon.call("AuthorizeRequest", request)["headers"] == ["Authorization": "Bearer at-2"] && !daemon.isAsked)
    }

    @Test("A name, an address and an identifier all mean the account")
    func names() throws {
        signIn("1", "ada@example.com", token: "at-ada")
        signIn("2", "Bob@Example.com", token: "at-bob")
        #expect(token(["providerID": "acme"]) == "at-bob")
        #expect(token(["providerID": "work", "account": "acme"]) == "at-bob")
        #expect(token(["providerID": "work", "account": "BOB@example.com"]) == "at-bob")
        #expect(token(["providerID": "work", "account": "1"]) == "at-ada" && token(["providerID": "work", "uid": "1"]) == "at-ada")
        #expect(daemon.call("GetAccessToken", ["providerID": "any"]).errorName == "SignInRequired", "nobody has signed in under it")
        let several = daemon.call("GetAccessToken", ["providerID": "work"])
        #expect(several.errorName == "AmbiguousAccount")
        #expect(several.message == "several accounts at work are stored here: ada@example.com, Bob@Example.com; name one of them")
        for parameters: JSONObject in [
            ["providerID": "work", "account": "acme", "uid": "2"], ["providerID": "acme", "account": "any"],
            ["providerID": "acme", "account": "ada@example.com"],
        ] {
            let reply = daemon.call("GetAccessToken", parameters)
            #expect(reply.errorName == "InvalidParameter", "\(parameters)")
        }
        let nobody = daemon.call("GetAccessToken", ["providerID": "work", "account": "eve@example.com"])
        #expect(uids(nobody) == ["1", "2"])
        #expect(
            nobody.message == "no account at work is called eve@example.com; stored here: ada@example.com, Bob@Example.com; "
                + "`postern sign-in work` adds another")
        #expect(daemon.call("GetAccessToken", ["providerID": "nobody", "account": "x"]).errorName == "ProviderNotFound")
        for method in ["GetAccessToken", "GetIDToken", "RevokeCredential", "SignIn"] {
            let unknown = daemon.call(method, ["providerID": "nobody"])
            #expect(unknown.message.hasPrefix("there is no provider or account called \"nobody\"; providers: "), "\(method): \(unknown.message)")
            #expect(unknown.message.contains("acme") && unknown.message.contains("any"), "\(method): \(unknown.message)")
        }
        let checked = daemon.call("CheckProvider", ["providerID": "nobody"])
        #expect(checked.message.hasPrefix("there is no provider called \"nobody\"; known are: ") && !checked.message.contains("acme"))
        #expect(daemon.call("GetAccessToken", ["providerID": ""]).message.hasPrefix("the provider's name is empty; providers: "))
        let listed = daemon.call("ListCredentials")["credentials"]?.arrayValue?.compactMap(\.objectValue)
        #expect(listed?.map { $0["account"] } == [nil, "acme"] && listed?.map { $0["email"] } == ["ada@example.com", "Bob@Example.com"])
    }

    @Test("The provider's name means one account for a sign-in as for a token, while nobody is signed in to that account")
    func meantIsSignedOut() throws {
        try daemon.reload(Self.configuration.replacing("serves =", with: "account = \"acme\"\nserves ="))
        // An app's sign-in is not about accounts.
        #expect(signIn("1", "ada@example.com", token: "at-ada").error == nil)
        #expect(signIn("1", "ada@example.com", token: "at-ada", intent: "keep").errorName == "UserMismatch")
        // The provider does not say that the address is verified, so the person is asked whether this is acme's account.
        #expect(signIn("2", "bob@example.com", token: "at-bob", intent: "keep").errorName == "AccountNotConfirmed")
    }

    @Test("A configured account, or a provider's first one, is signed in to; an unknown name is reported")
    func missing() throws {
        func refused(_ account: String) -> RecordedReply { daemon.call("GetAccessToken", ["providerID": "work", "account": .string(account)]) }
        #expect(refused("eve@example.com").errorName == "SignInRequired", "nobody at all has signed in")
        signIn("1", "ada@example.com", token: "at-ada")
        for account in ["acme", "BOB@example.com"] {
            let reply = refused(account)
            #expect(reply.errorName == "SignInRequired" && reply.message.contains("`postern sign-in acme`"), "\(reply.message)")
        }
        for method in ["GetAccessToken", "GetIDToken", "RevokeCredential"] {
            let reply = daemon.call(method, ["providerID": "work", "account": "acm"])
            #expect(uids(reply) == ["1"] && reply.message.contains("ada@example.com"))
        }
        for number in 2...25 { signIn("\(number)", "u\(number)@example.com", token: "at-\(number)") }
        let many = refused("acm")
        #expect(uids(many)?.count == 25 && many.message.contains(", and 5 more;"))
    }

    @Test("A sign-in under a name asks for its login, and is kept under it")
    func signingIn() throws {
        let refused = signIn("1", "ada@example.com", as: "acme", token: "at-ada")
        #expect(refused.errorName == "UserMismatch" && token(["providerID": "acme"]) == nil, "\(refused.message)")
        // What was refused is revoked.
        while daemon.isAsked { daemon.answer() }
        // The provider does not say whether that is Bob's address: the person does, and from then on nobody else is.
        let asked = signIn("2", "bob@example.com", as: "acme", token: "at-bob")
        #expect(asked.errorName == "AccountNotConfirmed" && token(["providerID": "acme"]) == nil, "\(asked.message)")
        #expect(asked.message.contains("login = { id = \"2\" }"), "\(asked.message)")
        guard case .accountNotConfirmed(_, "bob@example.com", "2", let credential) = asked.error, let handle = credential.handle else {
            throw TestFailure("there is no handle")
        }
        let confirmation: JSONObject = ["providerID": "acme", "intent": "keep", "confirmation": .string(handle.reveal())]
        #expect(daemon.call("SignIn", confirmation, more: true).error == nil)
        #expect(token(["providerID": "acme"]) == "at-bob")
        for (subject, email) in [("9", "bob@example.com"), ("bob@example.com", "eve@example.com")] {
            #expect(signIn(subject, email, as: "acme", token: "at-\(subject)").errorName == "UserMismatch")
            while daemon.isAsked { daemon.answer() }
        }
        #expect(signIn("2", "renamed@example.com", as: "acme", token: "at-bob").error == nil)
        signIn("1", "ada@example.com", as: "any", token: "at-ada")
        daemon.pass(seconds: 1)
        signIn("3", "eve@example.com", as: "any", token: "at-eve")
        #expect(token(["providerID": "any"]) == "at-eve")
        // A renewal and a plain sign-in change nothing about the name, and a restart neither.
        signIn("3", "eve@example.com", token: "at-eve-2")
        let restarted = try daemon.restarted(configuration: Self.configuration)
        #expect(restarted.call("GetAccessToken", ["providerID": "any"])["accessToken"] == "at-eve-2")
        let hint = daemon.call("SignIn", ["providerID": "acme", "loginHint": "eve", "presentation": "client"], more: true)
        #expect(hint.errorName == "InvalidParameter")
    }

    @Test("A URL finds the account that is closest, and a request is authorized for it alone")
    func urls() {
        signIn("1", "ada@example.com", token: "at-ada")
        #expect(header(["method": "GET", "url": "https://work.example/acme/x"]) == nil, "nobody has signed in as acme")
        signIn("2", "bob@example.com", token: "at-bob")
        #expect(header(["method": "GET", "url": "https://work.example/acme/x"]) == "Bearer at-bob")
        #expect(header(["method": "GET", "url": "https://work.example/x?y=z"]) == "Bearer at-ada")
        // Its own URL is added to those of its provider, where it gives way.
        #expect(header(["method": "POST", "url": "https://api.example/v1/x", "account": "acme"]) == "Bearer at-bob")
        #expect(header(["method": "POST", "url": "https://api.example/v1/x"]) == "Bearer at-ada")
        #expect(header(["method": "POST", "url": "https://api.example/v1", "providerID": "work", "account": "1"]) == "Bearer at-ada")
        let found = daemon.call("FindAccount", ["url": "https://work.example/acme/x"])["accounts"]?.arrayValue?.compactMap(\.objectValue)
        #expect(found?.map { $0["account"] } == ["acme", nil, "any"])
        #expect(found?.map { $0["rank"] } == [1, 2, 2] && found?.first?["prefix"] == "https://work.example/acme/")
        for url in ["https://evil.example/", "https://api.example/v2/", "https://work.example@evil.example/", "http://work.example/"] {
            for parameters: JSONObject in [["url": .string(url)], ["url": .string(url), "account": "acme"]] {
                var parameters = parameters
                parameters["method"] = "GET"
                let reply = daemon.call("AuthorizeRequest", parameters)
                #expect(reply.errorName == "OriginNotServed" && reply["headers"] == nil, "\(parameters)")
            }
        }
        for method in ["", "GET /", "GE\nT", String(repeating: "A", count: 33)] {
            let reply = daemon.call("AuthorizeRequest", ["method": .string(method), "url": "https://work.example/x"])
            #expect(reply.errorName == "InvalidParameter", "\(method)")
        }
    }

    @Test("Built-in providers that are not configured have no accounts")
    func unconfigured() {
        #expect(daemon.call("FindAccount", ["url": "https://github.com/a/b"])["accounts"] == [])
        #expect(daemon.call("AuthorizeRequest", ["method": "GET", "url": "https://api.github.com/user"]).errorName == "OriginNotServed")
        let found = daemon.call("FindAccount", ["url": "https://api.example/v1/"])["accounts"]?.arrayValue?.compactMap(\.objectValue)
        #expect(found?.map { $0["signedIn"] } == [false, false])
    }

    @Test("The service that an account's tokens are for is asked for at its sign-in, and goes with every name of the account")
    func resource() throws {
        try daemon.reload(
            Self.configuration.replacing("login = \"bob@example.com\"", with: "login = \"bob@example.com\"\nresource = \"https://api.example/\""))
        let reply = daemon.call("SignIn", ["providerID": "acme", "presentation": "client"], more: true)
        let page = reply.replies.first?["event"]?.objectValue?["authorizationURL"]?.stringValue
        #expect(page?.query("resource") == "https%3A%2F%2Fapi.example%2F", "\(reply.message)")
        let refused = daemon.call(
            "SignIn", ["providerID": "work", "customParameters": ["resource": "https://evil.example/"], "presentation": "client"], more: true)
        #expect(refused.errorName == "ReservedParameter")
    }

    @Test("An account for its own URLs only serves nothing else, however it is named")
    func only() throws {
        try daemon.reload(Self.configuration.replacing("login = \"bob@example.com\"", with: "login = \"bob@example.com\"\nonly = true"))
        signIn("2", "bob@example.com", token: "at-bob")
        #expect(header(["method": "GET", "url": "https://work.example/acme/x"]) == "Bearer at-bob")
        for parameters: JSONObject in [[:], ["account": "acme"], ["providerID": "work"], ["providerID": "work", "account": "bob@example.com"]] {
            var parameters = parameters
            (parameters["method"], parameters["url"]) = ("GET", "https://work.example/x")
            let reply = daemon.call("AuthorizeRequest", parameters)
            #expect(reply.error != nil && reply["headers"] == nil, "\(parameters)")
        }
        let elsewhere = daemon.call("AuthorizeRequest", ["method": "GET", "url": "https://work.example/x", "account": "acme"])
        #expect(elsewhere.errorName == "OriginNotServed", "\(elsewhere.message)")
    }

    private func found(_ url: String) -> RecordedReply { daemon.call("FindAccount", ["url": .string(url)]) }

    @Test("If no account matches, near misses are named, with the command that changes it")
    func near() throws {
        let acme = "[account.acme]\nprovider = \"work\"\nfor = [\"https://git.example/acme/\"]\nonly = true\n"
        try daemon.reload(TestApplication.example + "\n" + acme)
        let path = found("https://git.example")
        let sentence = "no account's tokens are for https://git.example; those of acme are for https://git.example/acme/"
        #expect(path["accounts"] == [] && path["near"] == ["https://git.example/acme/"] && path["reason"] == .string(sentence), "\(path)")
        #expect(daemon.call("AuthorizeRequest", ["method": "GET", "url": "https://git.example/x"]).message == sentence)
        #expect(found("https://unknown.example/")["reason"] == nil && found("https://unknown.example/")["near"] == nil)
        let provider = found("https://work.example/x")["reason"]?.stringValue
        #expect(
            provider == "no account's tokens are for https://work.example; if those of work should be, run "
                + "`postern config set provider.work.serves '[\"https://work.example\"]'`")
        let unready = found("https://github.com/a")
        #expect(
            unready["reason"] == "tokens for https://github.com come from GitHub, which is not set up; run `postern setup github.com`"
                && unready["near"] == nil, "\(unready)")
    }

    @Test("Two that are equally close are not chosen between, and the command that decides is named")
    func ambiguous() throws {
        let provider = TestApplication.example + "\nserves = [\"https://work.example\"]"
        let request: JSONObject = ["method": "GET", "url": "https://work.example/x"]
        try daemon.reload(provider)
        signIn("1", "ada@example.com", token: "at-ada")
        signIn("2", "bob@example.com", token: "at-bob")
        let unnamed = daemon.call("AuthorizeRequest", request)
        let sentence = "the tokens of several accounts are equally for https://work.example: "
        let naming = "postern config set account.NAME"
        #expect(uids(unnamed) == ["1", "2"])
        #expect(
            unnamed.message == sentence + "ada@example.com, bob@example.com; name one of them, or decide with `\(naming).provider work && "
                + "\(naming).login '{ id = \"ID\" }' && postern config set provider.work.account NAME`, for a NAME of your choice and an ID of `postern credentials`")
        let bob = "\n[account.bob]\nprovider = \"work\"\nlogin = \"2\"\n"
        try daemon.reload(provider + bob)
        let named = daemon.call("AuthorizeRequest", request)
        #expect(
            named.message == sentence + "bob, ada@example.com; name one of them, or decide with `postern config set provider.work.account bob`")
        #expect(found("https://work.example/x")["reason"] == .string(named.message))
        try daemon.reload(provider + "\naccount = \"bob\"" + bob)
        #expect(header(request) == "Bearer at-bob" && found("https://work.example/x")["reason"] == nil)
        #expect(header(["method": "GET", "url": "https://work.example/x", "providerID": "work", "account": "bob@example.com"]) == "Bearer at-bob")
    }

    @Test(
        "A URL that is built in stays so where it is repeated, as the proposed commands do: only more of its path under serves names it",
        arguments: [
            ("", "", true), ("", "for = [\"https://github.com\"]", true), ("", "for = [\"https://github.com/acme/\"]", true),
            ("serves = [\"https://api.github.com\", \"https://github.com/\"]\n", "", true),
            ("serves = [\"https://github.com\", \"https://github.com/acme/index\"]\n", "", false),
            ("serves = [\"https://github.com\", \"https://github.com/acme/index\"]\n", "for = [\"https://github.com/acme/\"]", false),
        ])
    func builtIn(serves: String, own: String, isBuiltIn: Bool) throws {
        try daemon.reload(
            "[provider.\"github.com\"]\nclient-id = \"c\"\nclient-secret = \"s\"\n\(serves)[account.ada]\nprovider = \"github.com\"\n\(own)\n")
        let account = found("https://github.com/acme/index/config.json")["accounts"]?.arrayValue?.first?.objectValue
        #expect(account?["account"] == "ada" && account?["builtIn"] == (isBuiltIn ? true : nil), "\(String(describing: account))")
    }

    @Test("Of accounts that the person keeps, one gets its name by the command for that, if a word of its own means it alone")
    func renaming() throws {
        try daemon.reload(TestApplication.example + "\nserves = [\"https://work.example\"]")
        signIn("1", "ada@example.com", token: "at-ada", intent: "keep")
        signIn("2", "bob@example.com", token: "at-bob", intent: "keep")
        func command() -> Substring { found("https://work.example/x")["reason"]?.stringValue?.split(separator: "`").dropFirst().first ?? "" }
        #expect(command() == "postern accounts rename ada@example.com NAME && postern config set provider.work.account NAME")
        signIn("3", "Ada@example.com", token: "at-3", intent: "keep")
        #expect(command() == "postern accounts rename 1 NAME && postern config set provider.work.account NAME", "two have that address")
    }

    @Test("A tie is decided by the URL that they share, and not by more than that")
    func tie() throws {
        let more = "[account.a]\nprovider = \"work\"\nlogin = \"1\"\n"
        let home = TestApplication.example.replacing("[provider.work]", with: "[provider.home]")
        let serves = "\nserves = [\"https://api.example/v1/\"]\n"
        try daemon.reload(TestApplication.example + serves + home + serves + more)
        signIn("1", "ada@example.com", token: "at-1")
        signIn("2", "bob@example.com", as: "home", token: "at-2")
        let reason = found("https://api.example/v1/x")["reason"]?.stringValue ?? ""
        #expect(reason.hasSuffix("or decide with `postern config set account.a.for '[\"https://api.example/v1/\"]'`"), "\(reason)")
    }

    @Test("A provider's name means the account that its configuration names, and no other takes its place")
    func meant() throws {
        let configuration = Self.configuration.replacing("serves =", with: "account = \"acme\"\nserves =")
        signIn("1", "ada@example.com", token: "at-ada")
        try daemon.reload(configuration)
        for method in ["GetAccessToken", "GetIDToken", "RevokeCredential"] {
            let reply = daemon.call(method, ["providerID": "work"])
            #expect(reply.errorName == "SignInRequired" && reply.message.contains("`postern sign-in acme`"), "\(method): \(reply.message)")
        }
        signIn("2", "bob@example.com", token: "at-bob")
        #expect(token(["providerID": "work"]) == "at-bob" && token(["providerID": "acme"]) == "at-bob")
        #expect(token(["providerID": "work", "uid": "1"]) == "at-ada" && token(["providerID": "work", "account": "1"]) == "at-ada")
        #expect(header(["method": "GET", "url": "https://work.example/x", "providerID": "work"]) == "Bearer at-bob")
        #expect(daemon.call("GetAccessToken", ["providerID": "any"]).errorName == "SignInRequired", "another name means another account")
        _ = daemon.call("RevokeCredential", ["providerID": "work"])
        while daemon.isAsked { daemon.answer() }
        #expect(daemon.revoked.allSatisfy { $0.contains("at-bob") } && !daemon.revoked.isEmpty)
        try daemon.reload(Self.configuration)
        #expect(token(["providerID": "work"]) == "at-ada", "a reload ends it")
    }

    @Test("An unserved URL is reported before the provider is asked for anything")
    func notRenewed() {
        signIn("1", "ada@example.com", as: "any", token: "at-ada")
        daemon.pass(seconds: 3600)
        let reply = daemon.call("AuthorizeRequest", ["method": "GET", "url": "https://evil.example/", "account": "any"])
        #expect(reply.errorName == "OriginNotServed" && daemon.tokenRequests.isEmpty)
        let served = daemon.call("AuthorizeRequest", ["method": "GET", "url": "https://work.example/", "account": "any"])
        daemon.answerToken("at-2")
        #expect(served["headers"]?.objectValue?["Authorization"] == "Bearer at-2")
    }

    @Test("RevokeCredential revokes the named account")
    func revocation() {
        signIn("1", "ada@example.com", token: "at-ada")
        signIn("2", "bob@example.com", token: "at-bob")
        _ = daemon.call("RevokeCredential", ["providerID": "acme"])
        daemon.answer()
        daemon.answer()
        #expect(daemon.revoked.allSatisfy { $0.contains("at-bob") } && !daemon.revoked.isEmpty)
        #expect(token(["providerID": "work"]) == "at-ada")
        // Nobody else takes the place of the account that is gone.
        #expect(daemon.call("GetAccessToken", ["providerID": "acme"]).errorName == "SignInRequired")
        #expect(daemon.call("RevokeCredential", ["providerID": "any"]).errorName == "SignInRequired")
    }
}
