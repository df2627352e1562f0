import PosternCore
import PosternCrypto
import StrictJSON

/// The claims of an ID token (OpenID Connect Core section 2).
enum IDToken {
    /// From issue to `exp`: time enough for the way to the client.
    static let lifetimeSeconds: Int64 = 600

    /// - Parameter nonce: left out of the tokens that a refresh gives (section 12.2).
    static func claims(
        for grant: ApprovedGrant, accessToken: String, nonce: String?, issuer: String, now: Timestamp
    ) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(issuer),
            "sub": .string(grant.person.subject),
            "aud": .string(grant.clientID),
            "exp": .integer(now.seconds + lifetimeSeconds),
            "iat": .integer(now.seconds),
            "auth_time": .integer(grant.authenticatedAt.seconds),
            "at_hash": .string(Base64URL.encode(OpenSSLCryptography().sha256(Array(accessToken.utf8)).prefix(16))),
        ]
        if let nonce { claims["nonce"] = .string(nonce) }
        return claims
    }
}
