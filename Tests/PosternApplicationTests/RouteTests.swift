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

    private func daemon() throws -> TestApplication {
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

    @Test("is told for every way to name it, though nobody has signed in, with an open store and with a locked one", arguments: calls)
    func calls(_ call: Call) throws {
        let daemon = try daemon()
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
}
