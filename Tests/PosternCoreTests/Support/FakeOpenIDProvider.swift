import PosternCrypto
import StrictJSON
import Testing

@testable import PosternCore

/// An OpenID provider in memory, which does wrong what a test tells it to.
struct FakeOpenIDProvider {
    var issuer = "https://op.example"
    var metadata: JSONObject
    /// Of the next ID token; null takes a claim away.
    var claims: JSONObject = [:]
    var signingKey = "rs"
    var header: JSONObject?
    /// Changes the finished ID token.
    var tamper: (Secret) -> Secret = { $0 }
    var keys: [JSON]
    var userinfo: ProviderResponse
    var accessTokens = ["SlAV32hkKG", "ya29.second"]
    var tokenAnswer: JSONObject = [:]
    private(set) var requests: [ProviderRequest] = []

    init() throws {
        metadata = [
            "issuer": "https://op.example", "authorization_endpoint": "https://op.example/authorize", "token_endpoint": "https://op.example/token",
            "userinfo_endpoint": "https://op.example/userinfo", "jwks_uri": "https://op.example/jwks/1234",
        ]
        keys = [try TestKeys.jwk("rs", kid: "rs", further: ["use": "sig", "alg": "RS256"])]
        userinfo = .json(#"{"sub":"248289761001","name":"Jane Doe","email":"jane@example.com","email_verified":true}"#)
    }

    func requested(_ url: String) -> [ProviderRequest] { requests.filter { $0.url == url } }

    mutating func answer(_ request: ProviderRequest) throws -> ProviderResponse {
        requests.append(request)
        switch request.url {
        case "https://op.example/.well-known/openid-configuration": return .json(JSON.object(metadata).text)
        case metadata["jwks_uri"]?.stringValue: return .json(JSON.object(["keys": .array(keys)]).text)
        case "https://op.example/token": return try token()
        case "https://op.example/userinfo": return userinfo
        default: return ProviderResponse(status: 404)
        }
    }

    private mutating func token() throws -> ProviderResponse {
        let forge = try TokenForge(key: signingKey, changes: claims, header: header)
        var answer: JSONObject = [
            "access_token": .string(accessTokens.count > 1 ? accessTokens.removeFirst() : accessTokens[0]), "token_type": "Bearer",
            "expires_in": 3600, "refresh_token": "8xLOxBtZp8", "id_token": .string(tamper(try forge.token()).reveal()),
        ]
        answer.apply(tokenAnswer)
        return .json(JSON.object(answer).text)
    }
}
