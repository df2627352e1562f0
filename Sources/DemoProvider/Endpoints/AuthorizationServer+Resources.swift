import PosternValues
import StrictJSON

extension AuthorizationServer {
    /// OpenID Connect Core section 5.3. For a plain OAuth 2.0 grant it is the profile document.
    func userinfo(authorization: String?, now: Timestamp) throws(OAuthError) -> JSONObject {
        let (token, grant) = try bearer(authorization, now: now)
        return grant.person.claims(for: token.scopes, issuer: issuer)
    }

    /// For a scope that nobody asks for at first (RFC 6750 section 3.1).
    func reports(authorization: String?, now: Timestamp) throws(OAuthError) -> JSONObject {
        let (token, grant) = try bearer(authorization, now: now)
        guard token.scopes.contains(Self.reportsScope) else {
            throw OAuthError(
                code: "insufficient_scope", description: "reports need the scope \(Self.reportsScope)", status: 403,
                challenge: "Bearer error=\"insufficient_scope\", scope=\"\(Self.reportsScope)\"")
        }
        return ["reports": .array([.string("\(grant.person.displayName)’s report")])]
    }

    /// For those who just signed in, and said once more who they are (RFC 9470 section 3).
    func vault(authorization: String?, now: Timestamp) throws(OAuthError) -> JSONObject {
        let (_, grant) = try bearer(authorization, now: now)
        guard grant.authenticationClass == Self.vaultClass, now < grant.authenticatedAt.adding(seconds: Self.vaultSeconds) else {
            throw OAuthError(
                code: "insufficient_user_authentication", description: "the vault needs a stronger sign-in", status: 401,
                challenge: "Bearer error=\"insufficient_user_authentication\", acr_values=\"\(Self.vaultClass)\", "
                    + "max_age=\"\(Self.vaultSeconds)\"")
        }
        return ["vault": .string("\(grant.person.displayName)’s secret")]
    }

    private func bearer(_ authorization: String?, now: Timestamp) throws(OAuthError) -> (AccessToken, ApprovedGrant) {
        let parts = (authorization ?? "").parts(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            // No error code if the request had no credentials (RFC 6750 section 3.1).
            throw OAuthError(
                code: "invalid_token", description: "a bearer token is needed", status: 401, challenge: "Bearer realm=\"demo\"")
        }
        guard let token = accessTokens.value(String(parts[1]), now: now), let family = families.value(token.family, now: now) else {
            throw .invalidToken("the access token is unknown, expired or revoked")
        }
        return (token, family.grant)
    }

    /// RFC 7009. Revoking either token of a family invalidates both; an unknown token counts as revoked.
    mutating func revoke(authorization: String?, parameters: FormParameters, now: Timestamp) throws(OAuthError) {
        let client = try authenticate(authorization: authorization, parameters: parameters)
        guard let token = parameters["token"] else { throw .invalidRequest("token is missing") }
        let id = refreshTokens.value(token, now: now) ?? accessTokens.value(token, now: now)?.family
        guard let id, let family = families.value(id, now: now) else { return }
        guard family.grant.clientID == client.id else { throw .invalidGrant("the token was given to another client") }
        families.remove(id, now: now)
    }

    /// OpenID Connect Discovery section 3, RFC 8414 section 2, RFC 9207 section 3.
    var metadata: JSONObject {
        let methods: JSON = ["none", "client_secret_basic", "client_secret_post"]
        return [
            "issuer": .string(issuer),
            "authorization_endpoint": .string("\(issuer)/authorize"),
            "token_endpoint": .string("\(issuer)/token"),
            "userinfo_endpoint": .string("\(issuer)/userinfo"),
            "revocation_endpoint": .string("\(issuer)/revoke"),
            "device_authorization_endpoint": .string("\(issuer)/device_authorization"),
            "jwks_uri": .string("\(issuer)/jwks"),
            "scopes_supported": .array(Self.scopes.map { .string($0) }),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token", .string(Self.deviceGrantType)],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
            "token_endpoint_auth_methods_supported": methods,
            "revocation_endpoint_auth_methods_supported": methods,
            "code_challenge_methods_supported": ["S256"],
            "claims_supported": [
                "sub", "name", "given_name", "family_name", "preferred_username", "picture", "email", "email_verified", "auth_time", "acr",
            ],
            "acr_values_supported": [.string(Self.vaultClass)],
            "prompt_values_supported": ["none", "login", "consent", "select_account"],
            "authorization_response_iss_parameter_supported": true,
            "request_uri_parameter_supported": false,
        ]
    }
}
