import PosternApplication
import PosternCore
import PosternCrypto
import StrictJSON

/// What an OpenID provider has beside a ``ScriptedProvider``: its documents, and a key to sign with.
struct OpenIDProvider {
    static let configuration = """
        [provider.work]
        kind = "oidc"
        issuer = "https://work.example"
        client-id = "client"
        """

    static let metadata: JSONObject = [
        "issuer": "https://work.example", "authorization_endpoint": "https://work.example/authorize",
        "token_endpoint": "https://work.example/token", "revocation_endpoint": "https://work.example/revoke",
        "jwks_uri": "https://work.example/keys", "response_types_supported": ["code"], "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
    ]

    private let key: SigningKey
    /// As it publishes them.
    let keys: JSONObject

    init() throws {
        key = try SigningKey.generateES256()
        guard case .p256(let x, let y) = key.publicKey else { throw TestFailure("an ES256 key is not on P-256") }
        keys = [
            "keys": [["kty": "EC", "crv": "P-256", "use": "sig", "x": .string(Base64URL.encode(x)), "y": .string(Base64URL.encode(y))]]
        ]
    }

    /// From now on its metadata and its keys are had at once.
    ///
    /// - Parameters:
    ///   - project: answers at once, too.
    ///   - changes: to its metadata.
    func answersDocuments(of daemon: TestApplication, and project: ScriptedProject? = nil, changes: JSONObject = [:]) {
        let keys = keys
        var metadata = Self.metadata
        for member in changes.members { metadata[member.key] = member.value }
        let found = metadata
        project?.clock = daemon.clock
        daemon.executor.isolated {
            daemon.provider.automatic = { request in
                let document: JSONObject
                switch request.url {
                case "https://work.example/.well-known/openid-configuration": document = found
                case "https://work.example/keys": document = keys
                default: return request.host.hasSuffix(".example") ? nil : project?.answer(to: request)
                }
                return .success(ProviderResponse(status: 200, headers: [("Content-Type", "application/json")], body: document.serialized))
            }
        }
        daemon.settle()
    }

    /// The answer of its token endpoint.
    ///
    /// - Parameters:
    ///   - moment: when the tokens are made, which the ID token outlives by so many seconds.
    ///   - further: other claims of the ID token.
    func tokens(
        _ accessToken: String, refreshToken: String?, subject: String, nonce: String? = nil, at moment: Timestamp = FakeClock().now,
        lifetime: Int64 = 600, further: JSONObject = [:]
    ) throws -> String {
        let idToken = try idToken(subject: subject, nonce: nonce, at: moment, lifetime: lifetime, further: further)
        var answer: JSONObject = [
            "access_token": .string(accessToken), "token_type": "Bearer", "expires_in": 3600, "id_token": .string(idToken),
        ]
        if let refreshToken { answer["refresh_token"] = .string(refreshToken) }
        return String(decoding: answer.serialized, as: UTF8.self)
    }

    func idToken(
        subject: String, nonce: String? = nil, at moment: Timestamp = FakeClock().now, lifetime: Int64 = 600, further: JSONObject = [:]
    ) throws -> String {
        let now = moment.seconds
        var claims: JSONObject = [
            "iss": "https://work.example", "aud": "client", "sub": .string(subject), "iat": .integer(now),
            "exp": .integer(now + lifetime),
        ]
        for member in further.members { claims[member.key] = member.value }
        if let nonce { claims["nonce"] = .string(nonce) }
        return try key.token(["alg": "ES256", "typ": "JWT"], claims)
    }
}

extension SigningKey {
    /// A signed JWT.
    func token(_ header: JSONObject, _ claims: JSONObject) throws -> String {
        let input = "\(Base64URL.encode(header.serialized)).\(Base64URL.encode(claims.serialized))"
        return "\(input).\(Base64URL.encode(try sign(Array(input.utf8))))"
    }
}
