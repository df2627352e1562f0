import PosternCrypto
import Testing

@testable import PosternCore

@Suite("What is sent to the issuer of an MCP server's tokens")
struct ServerRequestTests {
    private func provider(server: Bool, method: ClientAuthentication = .clientSecretBasic) throws -> ResolvedProvider {
        var provider = Provider.oauth2()
        provider.clientAuthentication = method
        provider.endpoints.deviceAuthorization = "https://as.example/device"
        provider.endpoints.introspection = "https://as.example/introspect"
        provider.endpoints.pushedAuthorization = "https://as.example/par"
        provider.extensions.resources = ["https://mcp.example/mcp"]
        if server { provider.server = MCPServer(url: try EndpointURL("https://mcp.example/mcp")) }
        return try ResolvedProvider(provider)
    }

    /// Each request, with whether it names the resource.
    private func requests(at provider: ResolvedProvider) throws -> [String: ProviderRequest] {
        let verifier = try #require(CodeVerifier(stored: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")))
        let page = try AuthorizationRequest(
            to: provider, redirectURI: "http://127.0.0.1:7678/x", state: Secret("s"), codeVerifier: verifier, nonce: nil, scopes: ["read"],
            cryptography: OpenSSLCryptography())
        let grant = Grant.sample()
        return [
            "page": ProviderRequest(url: page.url),
            "pushed": try #require(PushedAuthorizationRequest.request(for: page, at: provider)),
            "code": TokenRequest.exchange(code: Secret("c"), redirectURI: "http://127.0.0.1:7678/x", codeVerifier: verifier, at: provider),
            "refresh": TokenRequest.refresh(Secret("rt"), redirectURI: "http://127.0.0.1:7678/x", at: provider),
            "device": DeviceRequest.authorization(
                scopes: ["read"], parameters: [:], to: try #require(provider.deviceAuthorization), at: provider, isAuthenticated: true),
            "poll": DeviceRequest.token(for: Secret("dc"), at: provider),
            "revocation": try #require(RevocationRequest.requests(for: grant, at: provider).first),
            "introspection": try #require(TokenIntrospection.request(for: grant, at: provider)),
        ]
    }

    private func count(_ pair: String, in request: ProviderRequest) -> Int {
        let text = request.body.isEmpty ? String(request.url.drop { $0 != "?" }.dropFirst()) : request.bodyText
        return text.split(separator: "&").count { $0 == pair }
    }

    @Test("The resource is in the request for the page, the code's and the refresh's, and in those of a device", arguments: [true, false])
    func resource(server: Bool) throws {
        for (name, request) in try requests(at: provider(server: server)) {
            let isNamed = !["revocation", "introspection"].contains(name)
            #expect(count("resource=https%3A%2F%2Fmcp.example%2Fmcp", in: request) == (isNamed ? 1 : 0), "\(name)")
        }
    }

    @Test("The client's ID is in the form beside HTTP Basic, once, which other providers need not take")
    func clientID() throws {
        for (name, request) in try requests(at: provider(server: true)) where name != "page" {
            #expect(request.headers("Authorization").first?.hasPrefix("Basic ") == true, "\(name)")
            #expect(count("client_id=client", in: request) == 1, "\(name)")
            #expect(!request.bodyText.contains("client_secret"), "\(name)")
        }
        for (name, request) in try requests(at: provider(server: false)) where !["page", "pushed", "device"].contains(name) {
            #expect(count("client_id=client", in: request) == 0, "\(name)")
        }
        for (name, request) in try requests(at: provider(server: true, method: .clientSecretPost)) where name != "page" {
            #expect(count("client_id=client", in: request) == 1 && request.headers("Authorization").isEmpty, "\(name)")
        }
    }
}
