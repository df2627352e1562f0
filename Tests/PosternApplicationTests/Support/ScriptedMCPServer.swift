import PosternCore
import StrictJSON

@testable import PosternApplication

/// An MCP server at `https://mcp.example/mcp` and its issuer, whose documents the test changes.
@DaemonActor
final class ScriptedMCPServer {
    nonisolated static let configuration = """
        [mcp.linear]
        url = "https://mcp.example/mcp"
        """

    var challenge: String? = "Bearer resource_metadata=\"https://mcp.example/meta\""
    /// By URL; what is not here is not found.
    var documents: [String: JSONObject] = [
        "https://mcp.example/meta": [
            "resource": "https://mcp.example/mcp", "authorization_servers": ["https://as.example"], "scopes_supported": ["read"],
        ],
        "https://as.example/.well-known/oauth-authorization-server": [
            "issuer": "https://as.example", "authorization_endpoint": "https://as.example/authorize",
            "token_endpoint": "https://as.example/token", "registration_endpoint": "https://as.example/register",
            "revocation_endpoint": "https://as.example/revoke", "code_challenge_methods_supported": ["S256"],
            "scopes_supported": ["read", "admin", "offline_access"], "token_endpoint_auth_methods_supported": ["none"],
        ],
    ]
    /// What each registration is answered; the ID is counted.
    var registration: JSONObject = ["token_endpoint_auth_method": "none"]
    /// What the token endpoint is answered besides the counted tokens.
    var grant: JSONObject = ["token_type": "Bearer", "expires_in": 300]
    var tokenError: (Int, JSONObject)?
    /// Requests for tokens wait for the test's answers.
    var holdsTokens = false
    var givesRefreshTokens = true
    /// What the server itself answers to a request without a token.
    var status = 401
    private(set) var registrations = 0
    private(set) var grants = 0

    nonisolated init() {}

    subscript(issuer member: String) -> JSON? {
        get { documents["https://as.example/.well-known/oauth-authorization-server"]?[member] }
        set { documents["https://as.example/.well-known/oauth-authorization-server"]?[member] = newValue }
    }

    subscript(resource member: String) -> JSON? {
        get { documents["https://mcp.example/meta"]?[member] }
        set { documents["https://mcp.example/meta"]?[member] = newValue }
    }

    /// From now on the server names another issuer, which has the same endpoints elsewhere.
    func moveIssuer(to host: String) {
        var moved: JSONObject = [:]
        for member in documents["https://as.example/.well-known/oauth-authorization-server"]?.members ?? [] {
            moved[member.key] = member.value.stringValue.map { .string($0.replacing("as.example", with: host)) } ?? member.value
        }
        documents["https://\(host)/.well-known/oauth-authorization-server"] = moved
        self[resource: "authorization_servers"] = [.string("https://\(host)")]
    }

    /// A member of the metadata of the issuer at a host.
    subscript(of host: String, member: String) -> JSON? {
        get { documents["https://\(host)/.well-known/oauth-authorization-server"]?[member] }
        set { documents["https://\(host)/.well-known/oauth-authorization-server"]?[member] = newValue }
    }

    /// From now on the server names an issuer at this host, whose metadata name the endpoints of the honest one.
    ///
    /// - Parameter own: what the honest one's host has at its well-known places.
    func borrowEndpoints(as host: String, documents own: [String: JSONObject] = [:]) {
        self[issuer: "device_authorization_endpoint"] = "https://as.example/device"
        documents["https://as.example/device"] = [
            "device_code": "d", "user_code": "ABCD", "verification_uri": "https://as.example/code", "expires_in": 600,
        ]
        var borrowed = documents["https://as.example/.well-known/oauth-authorization-server"] ?? [:]
        borrowed["issuer"] = .string("https://\(host)")
        documents["https://\(host)/.well-known/oauth-authorization-server"] = borrowed
        documents["https://as.example/.well-known/oauth-authorization-server"] = nil
        for (place, document) in own { documents["https://as.example/.well-known/\(place)"] = document }
        self[resource: "authorization_servers"] = [.string("https://\(host)")]
    }

    nonisolated static let clientDocument = "https://me.example/client.json"

    /// The client document is there, and the issuer takes such.
    func publishClientDocument(_ change: (inout JSONObject) -> Void = { _ in }) throws {
        let text = ClientDocument.text(url: try EndpointURL(Self.clientDocument), port: 7678)
        guard case .object(var document) = try JSON(parsing: Array(text.utf8)) else { throw TestFailure("no object") }
        change(&document)
        documents[Self.clientDocument] = document
        self[issuer: "client_id_metadata_document_supported"] = true
    }

    func answer(to request: ProviderRequest) -> ScriptedProvider.Answer? {
        switch request.url {
        case "https://mcp.example/mcp", "https://other.example/mcp",
            _ where request.url.hasPrefix("https://mcp.example/mcp?"):
            return response(status, [:], headers: challenge.map { [("WWW-Authenticate", $0)] } ?? [])
        case _ where request.url.hasSuffix("/register"):
            registrations += 1
            var answer = registration
            answer["client_id"] = answer["client_id"] ?? .string("client-\(registrations)")
            return response(201, answer)
        case _ where request.url.hasSuffix("/token"):
            if holdsTokens { return nil }
            if let (status, error) = tokenError { return response(status, error) }
            grants += 1
            var answer = grant
            answer["access_token"] = .string("at-\(grants)")
            if givesRefreshTokens { answer["refresh_token"] = .string("rt-\(grants)") }
            return response(200, answer)
        case _ where request.url.hasSuffix("/revoke"): return response(200, [:])
        default: return documents[request.url].map { response(200, $0) } ?? response(404, [:])
        }
    }

    private func response(_ status: Int, _ document: JSONObject, headers: [(String, String)] = []) -> ScriptedProvider.Answer {
        .success(
            ProviderResponse(status: status, headers: [("Content-Type", "application/json")] + headers, body: document.serialized))
    }
}

extension RecordedReply {
    /// A parameter of the page that a sign-in wants opened.
    nonisolated func page(_ parameter: String) -> String? {
        event?["authorizationURL"]?.stringValue?.query(parameter)?.replacing("%20", with: " ").replacing("+", with: " ")
    }

    /// The scopes that its page asks for.
    nonisolated var pageScopes: [String] { page("scope")?.split(separator: " ").map(String.init) ?? [] }
}

extension TestApplication {
    convenience init(mcp server: ScriptedMCPServer, _ configuration: String = ScriptedMCPServer.configuration) throws {
        try self.init(configuration)
        answers(by: server)
    }

    func answers(by server: ScriptedMCPServer) { executor.isolated { provider.automatic = { server.answer(to: $0) } } }

    /// Another run of the daemon on the same disk.
    func restarted(mcp server: ScriptedMCPServer, _ configuration: String = ScriptedMCPServer.configuration) throws -> TestApplication {
        let next = try restarted(configuration: configuration)
        next.answers(by: server)
        return next
    }

    /// A person signs in under the server's name.
    @discardableResult
    func signIn(mcp name: String = "linear", _ further: JSONObject = [:], callback: String = "") -> RecordedReply {
        var parameters: JSONObject = ["providerID": .string(name), "intent": "keep", "presentation": "client"]
        for member in further.members { parameters[member.key] = member.value }
        let reply = call("SignIn", parameters, more: true)
        if let state = reply.pageState { browserReturns("state=\(state)&code=abc\(callback)") }
        return reply
    }

    /// The server's token is renewed, whatever it is.
    func renew(mcp name: String = "linear") -> RecordedReply { call("GetAccessToken", ["providerID": .string(name), "forceRefresh": true]) }

    /// The requests to a URL, the oldest first.
    func requests(to url: String) -> [ProviderRequest] { executor.isolated { provider.sent.filter { $0.url == url } } }
}
