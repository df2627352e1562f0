@testable import PosternCore
import StrictJSON

/// The moment at which all tests happen: 2027-01-15T08:00:00Z.
let now = Timestamp(seconds: 1_800_000_000)

extension Provider {
    /// An OpenID provider whose endpoints are known.
    static func openID(
        issuer: String = "https://op.example", clientID: String? = "client", secret: String? = nil,
        authentication: ClientAuthentication? = nil, mapping: ProfileMapping = .openID
    ) -> Provider {
        Provider(
            id: "work", displayName: "Work", kind: .oidc, dialect: StandardDialect(), clientID: clientID,
            clientSecret: secret.map { Secret($0) }, issuer: issuer,
            endpoints: ProviderEndpoints(
                authorization: "https://op.example/authorize", token: "https://op.example/token",
                userinfo: "https://op.example/userinfo", jwks: "https://op.example/jwks"),
            scopes: ["openid", "email"], clientAuthentication: authentication, profileMapping: mapping)
    }

    static func oauth2(secret: String? = "secret", mapping: ProfileMapping? = nil) -> Provider {
        Provider(
            id: "legacy", displayName: "Legacy", kind: .oauth2, dialect: StandardDialect(), clientID: "client",
            clientSecret: secret.map { Secret($0) },
            endpoints: ProviderEndpoints(
                authorization: "https://as.example/authorize", token: "https://as.example/token",
                userinfo: "https://as.example/me", revocation: "https://as.example/revoke"),
            scopes: ["profile"],
            profileMapping: mapping
                ?? ProfileMapping(uid: "id", displayName: "name", email: "email", photo: "avatar_url", username: "login"))
    }

    static func gitHub(secret: String? = "s3cret") -> Provider {
        var provider = GitHub.provider
        provider.clientID = "Iv1.0123456789abcdef"
        provider.clientSecret = secret.map { Secret($0) }
        return provider
    }
}

extension Provider {
    static func twitter(key: String? = "key", secret: String? = "s3cret") -> Provider {
        var provider = Twitter.provider
        provider.clientID = key
        provider.clientSecret = secret.map { Secret($0) }
        return provider
    }

    /// - Parameter clientID: of a confidential client, unless it says otherwise.
    static func xPlatform(clientID: String = "WThYWHFfRnhjZ3hqbDgzUEI1Y2Q6MTpjaQ", secret: String? = "s3cret") -> Provider {
        var provider = XPlatform.provider
        provider.clientID = clientID
        provider.clientSecret = secret.map { Secret($0) }
        return provider
    }
}

extension Grant {
    static func sample(
        accessToken: String = "at-1", refreshToken: String? = nil, expiresIn: Int64? = 3600, scopes: [String] = ["openid", "email"]
    ) -> Grant {
        Grant(
            accessToken: Secret(accessToken), tokenType: "Bearer", expiresAt: expiresIn.map { now.adding(seconds: $0) },
            refreshToken: refreshToken.map { Secret($0) }, scopes: scopes, obtainedAt: now)
    }
}

extension ProviderResponse {
    static func json(_ text: String, status: Int = 200, headers: [(name: String, value: String)] = []) -> ProviderResponse {
        ProviderResponse(status: status, headers: [("Content-Type", "application/json")] + headers, body: Array(text.utf8))
    }

    static func form(_ text: String, status: Int = 200) -> ProviderResponse {
        ProviderResponse(
            status: status, headers: [("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")], body: Array(text.utf8))
    }
}

extension ProviderRequest {
    var bodyText: String { String(decoding: body, as: UTF8.self) }

    func headers(_ name: String) -> [String] { headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value) }
}
