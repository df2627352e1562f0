import PosternApplication
import PosternCore
import StrictJSON
import Testing

@Suite("A client that is registered at a plain OAuth server found by its issuer", .serialized)
struct ClientRegistrationTests {
    private static let configuration = """
        [provider.work]
        kind = "oauth2"
        issuer = "https://work.example/tenant"
        register = true
        scopes = ["use"]
        """

    private let daemon: TestApplication

    init() throws {
        daemon = try TestApplication(Self.configuration)
        let metadata: JSONObject = [
            "issuer": "https://work.example/tenant", "authorization_endpoint": "https://work.example/authorize",
            "token_endpoint": "https://work.example/token", "registration_endpoint": "https://work.example/register",
            "device_authorization_endpoint": "https://work.example/device", "scopes_supported": ["use", "admin"],
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        ]
        let daemon = daemon
        daemon.executor.isolated {
            daemon.provider.automatic = { request in
                guard request.url == "https://work.example/.well-known/oauth-authorization-server/tenant" else { return nil }
                return .success(ProviderResponse(status: 200, headers: [("Content-Type", "application/json")], body: metadata.serialized))
            }
        }
    }

    /// What each registration asked for: the scopes, and whether for the device flow.
    private var asked: [String] {
        daemon.executor.isolated { daemon.provider.sent }.filter { $0.url == "https://work.example/register" }.compactMap { request in
            guard case .object(let document)? = try? JSON(parsing: request.body) else { return nil }
            let isForDevices = document["grant_types"]?.arrayValue?.count == 3
            return (document["scope"]?.stringValue ?? "") + (isForDevices ? ", device" : "")
        }
    }

    private func begin() -> RecordedReply {
        daemon.call("SignIn", ["providerID": "work", "intent": "keep", "presentation": "client"], more: true)
    }

    @Test("may request all that the issuer lists, and the page asks for what is configured")
    func all() {
        let reply = begin()
        daemon.answer(status: 201, json: #"{"client_id":"c","client_secret":"s"}"#)
        let page = reply.event?["authorizationURL"]?.stringValue
        #expect(page?.query("scope") == "use" && page?.query("client_id") == "c", "\(reply.message)")
        #expect(asked == ["use admin, device"])
    }

    @Test("is registered with less, step by step, if the server refuses what it is")
    func refused() {
        let reply = begin()
        for _ in 1...3 { daemon.answer(status: 400, json: #"{"error":"invalid_client_metadata"}"#) }
        daemon.answer(status: 201, json: #"{"client_id":"c","client_secret":"s"}"#)
        #expect(reply.event?["authorizationURL"]?.stringValue?.query("client_id") == "c", "\(reply.message)")
        #expect(asked == ["use admin, device", "use, device", "use admin", "use"])
    }

    @Test(
        "that is not given is told as the provider's state",
        arguments: [(401, "ProviderNotConfigured"), (403, "ProviderNotConfigured"), (429, "ProviderUnreachable"), (503, "ProviderUnreachable")])
    func notGiven(status: Int, name: String) {
        let reply = begin()
        daemon.answer(status: status, json: #"{"error":"invalid_token"}"#)
        #expect(reply.errorName == name && daemon.call("ListSessions")["sessions"] == [], "\(reply.message)")
    }

    @Test("is not asked for again after the last, nor after another refusal")
    func given() {
        let reply = begin()
        for _ in 1...4 { daemon.answer(status: 400, json: #"{"error":"invalid_client_metadata"}"#) }
        #expect(reply.errorName == "ProviderNotConfigured" && !daemon.isAsked, "\(reply.message)")
        let other = begin()
        daemon.answer(status: 400, json: #"{"error":"invalid_redirect_uri"}"#)
        #expect(other.errorName == "ProviderNotConfigured" && !daemon.isAsked)
        #expect(asked.count == 5)
    }
}
