import Testing

@testable import PosternCore

@Suite("The questions of the device flow")
struct DeviceRequestTests {
    private static let endpoint = "https://as.example/device"

    private static func resolved(_ provider: Provider, authentication: ClientAuthentication?) throws -> ResolvedProvider {
        var provider = provider
        provider.endpoints.deviceAuthorization = endpoint
        if let authentication { provider.clientAuthentication = authentication }
        return try ResolvedProvider(provider)
    }

    private static func ask(_ provider: ResolvedProvider, parameters: [String: String] = [:]) throws -> ProviderRequest {
        let endpoint = try #require(provider.deviceAuthorization)
        return provider.dialect.deviceAuthorizationRequest(scopes: ["a", "b"], parameters: parameters, to: endpoint, at: provider)
    }

    @Test("a public client names itself")
    func publicClient() throws {
        let provider = try Self.resolved(.oauth2(secret: nil), authentication: ClientAuthentication.none)
        let request = try Self.ask(provider, parameters: ["audience": "x y", "acr": "1"])
        #expect(request.method == "POST" && request.url == Self.endpoint)
        #expect(request.bodyText == "client_id=client&scope=a+b&acr=1&audience=x+y")
        #expect(request.headers("Authorization").isEmpty && request.headers("Accept") == ["application/json"])
        let poll = provider.dialect.deviceTokenRequest(for: Secret("d+1"), at: provider)
        #expect(poll.url == "https://as.example/token")
        #expect(
            poll.bodyText == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=d%2B1&client_id=client")
    }

    @Test("a client with a secret shows it, and is in the form as well")
    func confidentialClient() throws {
        let basic = try Self.ask(Self.resolved(.oauth2(), authentication: .clientSecretBasic))
        #expect(basic.headers("Authorization").count == 1 && basic.bodyText == "client_id=client&scope=a+b")
        let post = try Self.ask(Self.resolved(.oauth2(), authentication: .clientSecretPost))
        #expect(post.headers("Authorization").isEmpty)
        #expect(post.bodyText == "client_id=client&scope=a+b&client_secret=secret")
    }

    @Test("the services that a token is for are named both times")
    func resources() throws {
        var provider = Provider.oauth2(secret: nil)
        provider.extensions.resources = ["https://a.example/", "urn:b"]
        let resolved = try Self.resolved(provider, authentication: ClientAuthentication.none)
        let named = "resource=https%3A%2F%2Fa.example%2F&resource=urn%3Ab"
        #expect(try Self.ask(resolved).bodyText == "client_id=client&scope=a+b&\(named)")
        let poll = resolved.dialect.deviceTokenRequest(for: Secret("d"), at: resolved)
        #expect(poll.bodyText.hasSuffix("&device_code=d&\(named)&client_id=client"))
    }

    @Test("GitHub is asked with the client ID alone, whatever is configured")
    func gitHub() throws {
        for secret in [nil, "s3cret"] {
            let provider = try Self.resolved(.gitHub(secret: secret), authentication: secret == nil ? ClientAuthentication.none : nil)
            let request = try Self.ask(provider, parameters: ["allow_signup": "false", "login": "octo"])
            #expect(request.bodyText == "client_id=Iv1.0123456789abcdef&scope=a+b")
            let poll = provider.dialect.deviceTokenRequest(for: Secret("d"), at: provider)
            #expect(!poll.bodyText.contains("secret") && poll.bodyText.hasSuffix("&client_id=Iv1.0123456789abcdef"))
        }
    }

    @Test("whether there is a device flow is known, or only its metadata tell")
    func knowledge() throws {
        #expect(Provider.oauth2().hasDeviceFlow() == false)
        #expect(Provider.gitHub().hasDeviceFlow() == true)
        #expect(Provider.openID().hasDeviceFlow() == nil)
        func metadata(_ more: String) throws -> ProviderMetadata {
            try ProviderMetadata(parsing: Array(#"{"issuer":"https://op.example"\#(more)}"#.utf8), expectedIssuer: "https://op.example")
        }
        #expect(Provider.openID().hasDeviceFlow(metadata: try metadata("")) == false)
        #expect(
            Provider.openID().hasDeviceFlow(metadata: try metadata(#","device_authorization_endpoint":"https://op.example/d""#)) == true)
    }

    @Test(
        "of a built-in provider it is known without its metadata, which are not asked then",
        arguments: [
            ("github.com", true), ("gitlab.com", true), ("google.com", true), ("microsoft.com", true), ("facebook.com", false),
            ("apple.com", false), ("twitter.com", false), ("x.com", false),
        ])
    func builtIn(id: String, hasOne: Bool) throws {
        var provider = try #require(Catalogue.provider(id))
        #expect(provider.hasDeviceFlow() == hasOne)
        provider.endpoints.deviceAuthorization = "https://op.example/d"
        #expect(provider.hasDeviceFlow() == true)
    }

    @Test("a provider that wants a secret in a browser, and has none, is for other devices alone")
    func devicesAlone() {
        var provider = Provider.gitHub(secret: nil)
        provider.clientAuthentication = ClientAuthentication.none
        #expect(!provider.hasBrowserFlow)
        #expect(Provider.gitHub().hasBrowserFlow && Provider.oauth2(secret: nil).hasBrowserFlow)
    }
}
