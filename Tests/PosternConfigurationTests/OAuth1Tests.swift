import PosternConfiguration
@testable import PosternCore
import Testing

@Suite("Providers of OAuth 1.0a")
struct OAuth1Tests {
    static let photos = """
        [provider.photos]
        kind = "oauth1"
        request-token-endpoint = "https://photos.example/initiate"
        authorization-endpoint = "https://photos.example/authorize"
        access-token-endpoint = "https://photos.example/token"
        profile-endpoint = "https://photos.example/me"

        """

    @Test("Any name can be one, by its endpoints, its key and its secret")
    func anyName() throws {
        let configuration = try Reading.read(
            Self.photos + """
                api-key = "dpf43f3p2l4k3l03"
                api-secret = { file = "~/photos.secret" }
                callback-state = true
                parameters = { lang = "ja" }
                profile = { uid = "person.id" }
                """)
        let photos = try #require(configuration.provider("photos"))
        #expect(photos.provider.kind == .oauth1 && photos.provider.dialect is OAuth1Dialect)
        #expect(photos.provider.clientID == "dpf43f3p2l4k3l03" && photos.secret == .file("/home/ada/photos.secret"))
        #expect(photos.provider.endpoints.requestToken == "https://photos.example/initiate")
        #expect(photos.provider.endpoints.authorization == "https://photos.example/authorize")
        #expect(photos.provider.endpoints.token == "https://photos.example/token")
        #expect(photos.provider.endpoints.userinfo == "https://photos.example/me")
        #expect(photos.provider.hasCallbackState && photos.provider.profileMapping.uid == "person.id")
        #expect(photos.provider.parameters == ["lang": "ja"] && photos.provider.problem == nil)
        let secret = try #require(photos.secrets.first)
        #expect(secret.key == "api-secret" && secret.name == "api-secret" && secret.extent == .firstLine)
        var provider = photos.provider
        secret.put(Secret("kd94hf93k423kf44"), into: &provider)
        #expect(provider.clientSecret == Secret("kd94hf93k423kf44") && provider.secrets.isEmpty)
    }

    @Test("X needs its key and its secret, and says which is missing")
    func twitter() throws {
        func problem(_ text: String) throws -> String? { try Reading.read(text).provider("twitter.com")?.provider.problem }
        let file = "/home/ada/.config/postern/config.toml"
        #expect(try problem("") == "api-key is missing; put it under [provider.\"twitter.com\"] in \(file), or run: postern setup twitter.com")
        #expect(
            try problem("[provider.\"twitter.com\"]\napi-key = \"x\"")
                == "api-secret is missing; put it under [provider.\"twitter.com\"] in \(file), or run: postern setup twitter.com")
        #expect(try problem("[provider.\"twitter.com\"]\napi-key = \"x\"\napi-secret = { env = \"X\" }") == nil)
    }

    @Test("The endpoints of X can be overridden")
    func overridden() throws {
        let text = Self.photos.replacing("provider.photos", with: "provider.\"twitter.com\"").replacing("kind = \"oauth1\"\n", with: "")
        let twitter = try #require(try Reading.read(text + "revocation-endpoint = \"http://127.0.0.1:1/revoke\"").provider("twitter.com")?.provider)
        #expect(twitter.endpoints.requestToken == "https://photos.example/initiate" && twitter.dialect is Twitter)
        #expect(twitter.endpoints.revocation == "http://127.0.0.1:1/revoke" && !twitter.hasCallbackState)
    }

    static let refused: [Refused] = [
        Refused("[provider.photos]\nkind = \"oauth1\"", 1, "[provider.photos] needs request-token-endpoint, authorization-endpoint, access-token-endpoint and profile-endpoint"),
        Refused(
            photos.replacing("profile-endpoint = \"https://photos.example/me\"\n", with: ""), 1, "[provider.photos] needs profile-endpoint"),
        Refused(photos + "client-id = \"x\"", 7, "unknown key client-id in [provider.photos]; here it is api-key"),
        Refused(photos + "scopes = [\"a\"]", 7, "unknown key scopes in [provider.photos]"),
        Refused(photos + "step-up-scopes = [\"a\"]", 7, "unknown key step-up-scopes in [provider.photos]"),
        Refused(photos + "token-endpoint = \"https://x\"", 7, "unknown key token-endpoint in [provider.photos]; here it is access-token-endpoint"),
        Refused(photos + "issuer = \"https://x\"", 7, "unknown key issuer in [provider.photos]"),
        Refused(photos + "callback-state = \"yes\"", 7, "callback-state in [provider.photos] must be true or false, not a string"),
        Refused(
            photos + "parameters = { oauth_callback = \"https://evil.example\" }", 7,
            "oauth_callback in [provider.photos.parameters] is set by the sign-in itself; remove it"),
        Refused(
            photos.replacing("https://photos.example/initiate", with: "http://photos.example/initiate"), 3,
            "request-token-endpoint in [provider.photos] \(EndpointURLError.plainHTTP(host: "photos.example"))"),
        Refused("[provider.\"twitter.com\"]\nkind = \"oauth2\"", 2, ""),
        Refused(RefusalTests.oidc + "api-key = \"x\"", 4, "unknown key api-key in [provider.work]; here it is client-id"),
        Refused(RefusalTests.oidc + "callback-state = true", 4, "unknown key callback-state in [provider.work]"),
    ]

    @Test("What makes no sense is refused with its line", arguments: refused)
    func refusal(_ refused: Refused) throws {
        let error = try #require(Reading.refusal(refused.text))
        #expect(error.line == refused.line)
        #expect(error.message.hasPrefix(refused.message), "\(error.message)")
    }

    @Test("An api-secret in a file that others can read is refused")
    func readable() throws {
        let error = try #require(Reading.refusal(Self.photos + "api-key = \"x\"\napi-secret = \"hunter2\"", mode: 0o644))
        #expect(error.line == 8 && error.message.contains("or write api-secret = { file = … }") && !error.message.contains("hunter2"))
    }
}
