import PosternApplication
import PosternCore
import StrictJSON
import Testing

@Suite("Accounts at a provider that says nothing about who signs in", .serialized)
struct NamelessProviderTests {
    private static let configuration = """
        [provider.work]
        kind = "oauth2"
        client-id = "client"
        authorization-endpoint = "https://work.example/authorize"
        token-endpoint = "https://work.example/token"
        device-authorization-endpoint = "https://work.example/device"
        [account.club]
        provider = "work"
        login = "ada@example.com"
        [account.other]
        provider = "work"
        login = "club"
        """

    private let daemon: TestApplication

    init() throws { daemon = try TestApplication(Self.configuration) }

    /// Somebody signs in for their own programs; the provider is asked for the tokens alone.
    @discardableResult
    private func signIn(
        as name: String, token: String, refreshToken: String? = nil, on daemon: TestApplication? = nil, _ further: JSONObject = [:]
    ) -> RecordedReply {
        let daemon = daemon ?? self.daemon
        var parameters: JSONObject = ["providerID": .string(name), "intent": "keep", "presentation": "client"]
        for member in further.members { parameters[member.key] = member.value }
        let reply = daemon.call("SignIn", parameters, more: true)
        daemon.browserReturns("state=\(reply.pageState ?? "")&code=abc")
        daemon.answerToken(token, refreshToken: refreshToken)
        #expect(!daemon.isAsked)
        return reply
    }

    private func token(_ name: String) -> RecordedReply { daemon.call("GetAccessToken", ["providerID": .string(name)]) }

    @Test("are their names, and are renewed as any other")
    func names() throws {
        let first = signIn(as: "work", token: "at-1")
        #expect(first.isCompleted && first.event?["account"]?.objectValue?["uid"] == "work", "\(first.message)")
        let second = signIn(as: "club", token: "at-2", refreshToken: "rt-2")
        // Nothing can be compared with the `login`, so it is a hint and no more.
        #expect(second.isCompleted && second.event?["account"]?.objectValue?["uid"] == "club", "\(second.message)")
        #expect(second.replies.first?["event"]?.objectValue?["authorizationURL"]?.stringValue?.query("login_hint") == "ada%40example.com")
        #expect(daemon.counts == [0, 2])
        #expect(token("club")["accessToken"] == "at-2" && token("club")["uid"] == "club")
        let renewed = daemon.call("GetAccessToken", ["providerID": "club", "forceRefresh": true])
        daemon.answerToken("at-3")
        #expect(renewed["accessToken"] == "at-3")
        let restarted = try daemon.restarted(configuration: Self.configuration)
        #expect(restarted.call("GetAccessToken", ["providerID": "club"])["accessToken"] == "at-3")
        #expect(restarted.call("GetAccessToken", ["providerID": "work", "uid": "work"])["accessToken"] == "at-1")
    }

    @Test("do not belong to another name, whatever its `login` says")
    func otherName() {
        signIn(as: "club", token: "at-1")
        #expect(token("other").errorName == "SignInRequired")
    }

    @Test("are replaced by a sign-in under the same name, and nothing of the old grant is kept beside the new one")
    func replaced() {
        signIn(as: "club", token: "at-1", refreshToken: "rt-1")
        let reply = signIn(as: "club", token: "at-2", ["loginHint": "grace@example.com"])
        #expect(reply.isCompleted, "\(reply.message)")
        #expect(daemon.counts == [0, 1])
        #expect(token("club")["accessToken"] == "at-2")
        let refresh = daemon.call("GetAccessToken", ["providerID": "club", "forceRefresh": true])
        #expect(refresh.errorName == "SignInRequired" && daemon.tokenRequests.isEmpty)
    }

    @Test("are the account that the provider's name means, if its section says so")
    func meant() throws {
        let daemon = try TestApplication(
            Self.configuration.replacing("kind = \"oauth2\"", with: "kind = \"oauth2\"\naccount = \"club\""))
        for token in ["at-1", "at-2"] {
            let reply = signIn(as: "work", token: token, on: daemon)
            #expect(reply.event?["account"]?.objectValue?["uid"] == "club")
            #expect(daemon.call("GetAccessToken", ["providerID": "work"])["accessToken"] == .string(token))
        }
    }

    @Test("come with a code for another device as well")
    func device() {
        let reply = daemon.call("SignIn", ["providerID": "club", "intent": "keep", "flow": "device"], more: true)
        daemon.answer(
            json:
                #"{"device_code":"dc","user_code":"AB-CD","verification_uri":"https://work.example/go","expires_in":900,"interval":5}"#)
        daemon.pass(seconds: 5)
        daemon.answerToken("at-1")
        #expect(reply.isCompleted && reply.event?["account"]?.objectValue?["uid"] == "club", "\(reply.message)")
    }

    @Test("are not users of apps: all of the provider's people would be the same user", arguments: ["signIn", "link", "reauthenticate"])
    func apps(intent: String) {
        let page = daemon.call(
            "SignIn", ["providerID": "work", "intent": .string(intent), "app": "mail", "presentation": "client"], more: true)
        #expect(page.errorName == "ProviderNotConfigured", "\(page.message)")
        #expect(page.message.contains("work says nothing about who signs in"))
        let presented = daemon.call(
            "SignInWithCredential",
            ["credential": ["providerID": "work", "accessToken": "at"], "intent": .string(intent), "app": "mail"])
        #expect(presented.errorName == "ProviderNotConfigured" && !daemon.isAsked, "\(presented.message)")
        #expect(daemon.counts == [0, 0])
    }

    @Test("give an app a credential that creates no user")
    func handles() throws {
        let reply = signIn(as: "work", token: "at-1", ["intent": "credential", "app": "mail"])
        let handle = try #require(
            reply.event?["result"]?.objectValue?["credential"]?.objectValue?["handle"]
                ?? reply.event?["credential"]?.objectValue?["handle"], "\(reply.message)")
        let used = daemon.call("SignInWithCredential", ["credential": ["handle": handle], "app": "mail"])
        #expect(used.errorName == "InvalidCredential" && used.message.contains("says nothing about who signed in"), "\(used.message)")
        #expect(daemon.counts[0] == 0)
    }

    @Test("are what an import fills, which is refused before anything is sent if there is one")
    func imported() {
        let reply = daemon.call("ImportCredential", ["providerID": "club", "refreshToken": "rt-1"])
        daemon.answerToken("at-1", refreshToken: "rt-2")
        #expect(reply["credential"]?.objectValue?["uid"] == "club", "\(reply.message)")
        #expect(token("club")["accessToken"] == "at-1")
        #expect(daemon.call("ImportCredential", ["providerID": "club", "refreshToken": "rt-9"]).errorName == "CredentialExists")
        let unnamed = daemon.call("ImportCredential", ["providerID": "work", "refreshToken": "rt-3"])
        daemon.answerToken("at-3", refreshToken: "rt-4")
        #expect(unnamed["credential"]?.objectValue?["uid"] == "work", "\(unnamed.message)")
        #expect(daemon.call("ImportCredential", ["providerID": "work", "refreshToken": "rt-9"]).errorName == "CredentialExists")
        #expect(daemon.tokenRequests == ["rt-1", "rt-3"])
    }

    @Test("are announced as such, and nothing is missing when the provider is checked")
    func announced() {
        let provider = daemon.call("ListProviders")["providers"]?.arrayValue?.first?.objectValue
        #expect(provider?["providerID"] == "work" && provider?["namesPeople"] == .bool(false))
        let check = daemon.call("CheckProvider", ["providerID": "work"])
        daemon.answer(status: 400, json: #"{"error":"invalid_grant"}"#)
        let findings = check["findings"]?.arrayValue?.compactMap(\.objectValue) ?? []
        #expect(findings.contains { $0["title"] == "account" && $0["level"] == "ok" })
        #expect(!findings.contains { $0["level"] == "fail" }, "\(findings)")
    }
}
