import PosternValues
import PosternCrypto
import StrictJSON

/// The token endpoint (RFC 6749 section 3.2).
extension AuthorizationServer {
    mutating func token(authorization: String?, parameters: FormParameters, now: Timestamp) throws(OAuthError) -> JSONObject {
        let client = try authenticate(authorization: authorization, parameters: parameters)
        switch parameters["grant_type"] {
        case "authorization_code": return try redeem(parameters, client: client, now: now)
        case "refresh_token": return try refresh(parameters, client: client, now: now)
        case Self.deviceGrantType: return try redeemDevice(parameters, client: client, now: now)
        case nil: throw .invalidRequest("grant_type is missing")
        default:
            throw OAuthError(code: "unsupported_grant_type", description: "only codes, device codes and refresh tokens are exchanged here")
        }
    }

    /// Section 4.1.3, and RFC 7636 section 4.6. The first use invalidates a code, whether it succeeded or not.
    private mutating func redeem(_ parameters: FormParameters, client: DemoClient, now: Timestamp) throws(OAuthError) -> JSONObject {
        guard let code = parameters["code"] else { throw .invalidRequest("code is missing") }
        guard let issued = codes.value(code, now: now) else { throw .invalidGrant("no such code") }
        guard !issued.isSpent else {
            // Somebody else has the code, too: the tokens issued for it are revoked.
            if let family = issued.family { families.remove(family, now: now) }
            throw .invalidGrant("the code was used before")
        }
        codes.update(code) { $0.isSpent = true }
        guard now < issued.issuedAt.adding(seconds: Self.codeSeconds) else { throw .invalidGrant("the code has expired") }
        guard issued.grant.clientID == client.id else { throw .invalidGrant("the code was given to another client") }
        guard parameters["redirect_uri"] == issued.redirectURI else {
            throw .invalidGrant("redirect_uri is not that of the authorization request")
        }
        guard let verifier = parameters["code_verifier"] else { throw .invalidRequest("code_verifier is missing") }
        guard Self.challenge(of: verifier) == issued.codeChallenge else { throw .invalidGrant("code_verifier does not fit") }

        let family = try RandomToken.make()
        codes.update(code) { $0.family = family }
        return try answer(issued.grant, scopes: issued.grant.scopes, family: family, nonce: issued.grant.nonce, now: now)
    }

    /// Section 6. The token is replaced; one that was replaced before invalidates its whole family.
    private mutating func refresh(_ parameters: FormParameters, client: DemoClient, now: Timestamp) throws(OAuthError) -> JSONObject {
        guard let token = parameters["refresh_token"] else { throw .invalidRequest("refresh_token is missing") }
        guard let id = refreshTokens.value(token, now: now), let family = families.value(id, now: now) else {
            throw .invalidGrant("no such refresh token")
        }
        guard family.grant.clientID == client.id else { throw .invalidGrant("the refresh token was given to another client") }
        guard family.refreshToken == token else {
            families.remove(id, now: now)
            throw .invalidGrant("the refresh token was used before; all tokens of its sign-in are revoked")
        }
        let asked = parameters["scope"].map { $0.parts(separator: " ").map(String.init) } ?? family.grant.scopes
        guard asked.allSatisfy(family.grant.scopes.contains) else {
            throw OAuthError(code: "invalid_scope", description: "more was asked for than was granted")
        }
        // Its lifetime starts now, not at the sign-in.
        families.remove(id, now: now)
        return try answer(family.grant, scopes: asked, family: id, nonce: nil, now: now)
    }

    mutating func answer(
        _ grant: ApprovedGrant, scopes: [String], family: String, nonce: String?, now: Timestamp
    ) throws(OAuthError) -> JSONObject {
        let access = try RandomToken.make()
        let refresh = try RandomToken.make()
        var answer: JSONObject = [
            "access_token": .string(access), "token_type": "Bearer", "expires_in": .integer(Int64(options.accessTokenSeconds)),
            "refresh_token": .string(refresh), "scope": .string(scopes.joined(separator: " ")),
        ]
        if scopes.contains("openid") {
            let claims = IDToken.claims(for: grant, accessToken: access, nonce: nonce, issuer: issuer, now: now)
            answer["id_token"] = .string(try OAuthError.ofServer { () throws(CryptoError) in try keys.sign(claims) })
        }
        families.insert(TokenFamily(grant: grant, refreshToken: refresh), under: family, now: now)
        refreshTokens.insert(family, under: refresh, now: now)
        accessTokens.insert(AccessToken(family: family, scopes: scopes), under: access, now: now)
        return answer
    }

    /// S256; nil if it is not a valid verifier (RFC 7636 section 4.1).
    private static func challenge(of verifier: String) -> String? {
        let isVerifier = 43...128 ~= verifier.utf8.count && verifier.utf8.allSatisfy(\.isUnreserved)
        return isVerifier ? Base64URL.encode(OpenSSLCryptography().sha256(Array(verifier.utf8))) : nil
    }
}
