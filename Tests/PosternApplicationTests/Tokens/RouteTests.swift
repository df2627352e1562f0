@testable import PosternApplication
import PosternCore
import StrictJSON
import Testing

@Suite("Where an account's tokens may go", .serialized)
struct RouteTests {
    private static let configuration =
        TestApplication.example + """

            ca-file = "/etc/work.pem"
            serves = ["https://work.example", "https://work.example/api/"]
            [account.acme]
            provider = "work"
            login = "bob@example.com"
            for = ["https://acme.example/git"]
            [provider.other]
            kind = "oauth2"
            client-id = "client"
            authorization-endpoint = "https://other.example/authorize"
            token-endpoint = "https://other.example/token"
            userinfo-endpoint = "https://other.example/userinfo"
            serves = ["https://other.example"]
            profile = { uid = "id" }
            [mcp.linear]
            url = "https://mcp.example/mcp?team=a"
            """

    private func started() throws -> TestApplication {
        let daemon = try TestApplication(Self.configuration)
        daemon.executor.isolated {
            daemon.provider.certificates["/etc/work.pem"] = "PEM"
            daemon.provider.proxies = ProxyVariables(environment: ["https_proxy": "", "HTTPS_PROXY": "http://p.example", "no_proxy": "x"])
        }
        return daemon
    }

    struct Call: Sendable {
        var parameters: JSONObject
        var providerID: String?
        var account: String?
        var urls: [String] = []
        var error: String?
    }

    private static let acme = ["https://acme.example/git", "https://work.example", "https://work.example/api/"]

    private static let calls = [
        Call(parameters: ["providerID": "acme"], providerID: "work", account: "acme", urls: acme),
        Call(parameters: ["account": "acme"], providerID: "work", account: "acme", urls: acme),
        Call(parameters: ["providerID": "work", "account": "BOB@example.com"], providerID: "work", account: "acme", urls: acme),
        Call(parameters: ["providerID": "work", "account": "ada"], providerID: "work", urls: Array(acme.dropFirst())),
        Call(parameters: ["url": "https://acme.example/git/x"], providerID: "work", account: "acme", urls: acme),
        // The closest comes first.
        Call(
            parameters: ["url": "https://work.example/api/x", "providerID": "acme"], providerID: "work", account: "acme",
            urls: [acme[2], acme[1], acme[0]]),
        Call(parameters: ["providerID": "other"], providerID: "other", urls: ["https://other.example"]),
        Call(parameters: ["providerID": "linear"], providerID: "linear", urls: ["https://mcp.example/mcp?team=a"]),
        Call(parameters: ["url": "https://mcp.example/mcp?team=a"], providerID: "linear", urls: ["https://mcp.example/mcp?team=a"]),
        Call(parameters: ["url": "https://mcp.example/mcp?team=b"], error: "OriginNotServed"),
        Call(parameters: ["url": "https://acme.example/git", "providerID": "other"], error: "OriginNotServed"),
        Call(parameters: ["url": "http://work.example/"], error: "OriginNotServed"),
        Call(parameters: ["providerID": "nobody"], error: "ProviderNotFound"),
        Call(parameters: ["providerID": "acme", "account": "ada"], error: "InvalidParameter"),
        Call(parameters: [:], error: "InvalidParameter"),
    ]

    @Test("is reported for every way to name it, even before a sign-in, with an open store and a locked one", arguments: calls)
    func told(_ call: Call) throws {
        let daemon = try started()
        for isLocked in [false, true] {
            if isLocked { daemon.call("Lock") }
            let reply = daemon.call("GetRoute", call.parameters)
            #expect(reply.errorName == call.error, "\(call.parameters): \(reply.message)")
            guard call.error == nil else { continue }
            #expect(reply["providerID"]?.stringValue == call.providerID && reply["account"]?.stringValue == call.account)
            #expect(reply["urls"]?.arrayValue?.compactMap(\.stringValue) == call.urls, "\(call.parameters)")
            #expect(reply["isMCP"] == .bool(call.providerID == "linear"))
            #expect(reply["authorities"]?.stringValue == (call.providerID == "work" ? "PEM" : nil))
            #expect(reply["httpsProxy"] == "http://p.example" && reply["allProxy"] == nil && reply["noProxy"] == "x")
        }
    }

    @Test("cannot be told where the certificates of its ca-file cannot be read")
    func certificates() throws {
        let daemon = try TestApplication(Self.configuration)
        let reply = daemon.call("GetRoute", ["providerID": "work"])
        #expect(reply.errorName == "ProviderNotConfigured" && reply.message == "work cannot be used: '/etc/work.pem' does not exist")
    }

    // MARK: Nobody has signed in

    @Test("The person is told once of an account that a program's request needs, with a button, until somebody signs in")
    func absent() throws {
        let daemon = try TestApplication(Self.configuration)
        for _ in 0..<3 { #expect(daemon.call("AuthorizeRequest", Self.request).errorName == "SignInRequired") }
        let notice = try #require(daemon.notices.shown.first)
        #expect(daemon.notices.shown.count == 1 && notice.summary == "Sign in to other" && notice.button == "Sign in")
        #expect(notice.body == "other: A program needs this account. Or run: postern sign-in other")
        daemon.call("AuthorizeRequest", ["method": "GET", "url": "https://acme.example/git"])
        #expect(daemon.notices.shown.count == 2 && daemon.notices.shown[1].body.hasPrefix("acme: "))
        // The button opens the page.
        daemon.executor.isolated { daemon.notices.happens(.buttonPressed(activationToken: nil)) }
        daemon.settle()
        let pages = daemon.executor.isolated { daemon.pages.opened }
        #expect(pages.count == 2 && pages.contains { $0.hasPrefix("https://other.example/authorize?") })
        // Dismissed, it is shown again after some time.
        daemon.call("AuthorizeRequest", Self.request)
        #expect(daemon.notices.shown.count == 2)
        daemon.pass(seconds: 600)
        daemon.call("AuthorizeRequest", Self.request)
        #expect(daemon.notices.shown.count == 3 && daemon.notices.displayed.count == 1)
        let reply = daemon.call("SignIn", ["providerID": "other", "intent": "keep", "presentation": "client"], more: true)
        daemon.browserReturns("state=\(reply.pageState ?? "")&code=abc")
        daemon.answerToken("at-1")
        daemon.answer(json: #"{"id":"1"}"#)
        #expect(reply.error == nil && daemon.notices.displayed.isEmpty, "\(reply.message)")
        #expect(daemon.call("AuthorizeRequest", Self.request).error == nil)
    }

    private static let request: JSONObject = ["method": "GET", "url": "https://other.example/x"]
}
