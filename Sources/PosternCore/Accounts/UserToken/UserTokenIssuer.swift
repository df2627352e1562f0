import StrictJSON

/// Issues ID tokens that other programs of this machine can verify, and says where the keys are.
public enum UserTokenIssuer {
    public static let discoveryPath = "/.well-known/openid-configuration"
    public static let keysPath = "/.well-known/jwks.json"

    /// The claims as a compact JWS (RFC 7515 section 7.1).
    ///
    /// - Returns: nil if the key cannot sign.
    public static func token(saying claims: JSONObject, signedBy key: UserTokenKey, cryptography: some Cryptography) -> Secret? {
        let header: JSONObject = ["alg": .string(SignatureAlgorithm.es256.rawValue), "kid": .string(key.id), "typ": "JWT"]
        return CompactJWS.signed(header.serialized, claims, by: key.privateKeyPEM, cryptography: cryptography).map { Secret($0) }
    }

    /// The issuer's metadata (OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2).
    ///
    /// There is no authorization endpoint: tokens are issued on the socket. Both specifications require `response_types_supported` anyway,
    /// and forbid an empty list; `id_token` is true of the tokens, and is what other issuers without that endpoint say (Kubernetes' service
    /// accounts, GitHub Actions, Firebase itself).
    public static func discoveryDocument(issuer: String) -> JSONObject {
        [
            "issuer": .string(issuer),
            "jwks_uri": .string(issuer + keysPath),
            "response_types_supported": ["id_token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [.string(SignatureAlgorithm.es256.rawValue)],
            "claims_supported": .array(claims.map(JSON.string)),
        ]
    }

    /// Every claim that a token may have.
    static let claims = [
        "iss", "aud", "sub", "iat", "exp", "auth_time", "user_id", "app", "name", "picture", "email", "email_verified", "provider_id",
        "firebase",
    ]
}
