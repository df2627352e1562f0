import PosternValues
import PosternCrypto
import StrictJSON

/// The keys for ID tokens: the newest signs, its predecessor is still published.
struct KeyRing: Sendable {
    private struct Entry {
        var key: SigningKey
        var id: String
        var jwk: JSONObject
    }

    private var current: Entry
    private var previous: Entry?

    init() throws(CryptoError) { current = try Self.make() }

    var currentID: String { current.id }

    mutating func rotate() throws(CryptoError) {
        let next = try Self.make()
        previous = current
        current = next
    }

    /// RFC 7517
    var keySet: JSONObject { ["keys": .array(([current] + [previous].compactMap(\.self)).map { .object($0.jwk) })] }

    /// The claims as a compact JWS (RFC 7515 section 7.1).
    func sign(_ claims: JSONObject) throws(CryptoError) -> String {
        let header: JSONObject = ["alg": .string(current.key.algorithm.rawValue), "kid": .string(current.id), "typ": "JWT"]
        let input = "\(Base64URL.encode(header.serialized)).\(Base64URL.encode(claims.serialized))"
        return "\(input).\(Base64URL.encode(try current.key.sign(Array(input.utf8))))"
    }

    private static func make() throws(CryptoError) -> Entry {
        let key = try SigningKey.generateES256()
        // An ES256 key is always on that curve.
        guard case .p256(let x, let y) = key.publicKey else { throw CryptoError(.invalidKey, "an ES256 key is not on P-256") }
        let required: JSONObject = [
            "crv": "P-256", "kty": "EC", "x": .string(Base64URL.encode(x)), "y": .string(Base64URL.encode(y)),
        ]
        // RFC 7638: these members in this order.
        let id = Base64URL.encode(OpenSSLCryptography().sha256(required.serialized))
        var jwk = required
        jwk["kid"] = .string(id)
        jwk["use"] = "sig"
        jwk["alg"] = .string(key.algorithm.rawValue)
        return Entry(key: key, id: id, jwk: jwk)
    }
}

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
        if let authenticationClass = grant.authenticationClass { claims["acr"] = .string(authenticationClass) }
        return claims
    }
}
