import StrictJSON

/// Reading what a token endpoint answered (RFC 6749 sections 5.1 and 5.2).
public enum TokenResponse {
    /// Far more than any answer needs: two tokens and an ID token.
    public static let mostBytes = 256 * 1024

    /// What the answer is to.
    public enum Purpose: Sendable {
        /// A code: an OpenID provider must add an ID token.
        case exchange
        /// A refresh token: an ID token may come along (OpenID Connect Core section 12.2).
        case refresh
    }

    /// - Parameters:
    ///   - scopes: what was asked for; it is what was granted where the answer is silent.
    ///   - sentAt: when the request was sent: a token ages while its answer travels.
    ///   - now: for dates in the answer's headers.
    ///   - proofKey: that the request proved to have (RFC 9449 section 5); nil where it proved none.
    /// - Returns: the grant; its ID token, if any, is still to be verified. Providers that are no OpenID providers
    ///   never have one: nobody would check it.
    public static func grant(
        from response: ProviderResponse, to purpose: Purpose, at provider: ResolvedProvider, scopes: [String],
        sentAt: Timestamp, now: Timestamp, proofKey: DPoPKey? = nil
    ) throws(TokenEndpointError) -> Grant {
        let answer = try TokenAnswer(response, dialect: provider.dialect, now: now)
        guard let accessToken = try answer.token("access_token") else {
            throw .malformed(.missing(member: "access_token"), refusal: nil)
        }
        let tokenType = try answer.required("token_type")
        try check(tokenType, isBoundTo: proofKey, demanded: provider.provider.extensions.usesDPoP && purpose == .exchange)
        let isOpenID = provider.provider.kind == .oidc
        let idToken = isOpenID ? try answer.token("id_token", mostBytes: UnverifiedIDToken.mostBytes) : nil
        if isOpenID, idToken == nil, purpose == .exchange { throw .malformed(.missing(member: "id_token"), refusal: nil) }
        let refreshToken = try answer.token("refresh_token")
        return Grant(
            accessToken: accessToken,
            tokenType: tokenType,
            expiresAt: try answer.lifetime("expires_in").map { sentAt.adding(seconds: max($0, 0)) },
            refreshToken: refreshToken,
            refreshTokenExpiresAt: refreshToken == nil ? nil : try refreshTokenEnd(in: answer, sentAt: sentAt),
            idToken: idToken,
            scopes: try answer.scopes(provider.dialect) ?? scopes,
            obtainedAt: sentAt,
            proofKey: proofKey)
    }

    /// A bearer token in place of a bound one is a downgrade (RFC 9449 section 5): whoever stole it could use it.
    private static func check(_ type: String, isBoundTo proofKey: DPoPKey?, demanded: Bool) throws(TokenEndpointError) {
        switch type.lowercased() {
        case "dpop" where proofKey != nil: return
        case "bearer" where proofKey != nil || demanded: throw .malformed(.notBound, refusal: nil)
        case "bearer": return
        default: throw .malformed(.unknownTokenType(ProviderText.cleaned(type, longest: 64) ?? "nothing"), refusal: nil)
        }
    }

    /// GitHub's name, then Keycloak's, which writes 0 for a token without an end.
    private static func refreshTokenEnd(in answer: TokenAnswer, sentAt: Timestamp) throws(TokenEndpointError) -> Timestamp? {
        for member in ["refresh_token_expires_in", "refresh_expires_in"] {
            if let seconds = try answer.lifetime(member) { return seconds > 0 ? sentAt.adding(seconds: seconds) : nil }
        }
        return nil
    }
}
