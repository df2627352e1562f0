import StrictJSON

/// Reads a token endpoint's answer (RFC 6749 sections 5.1 and 5.2).
public enum TokenResponse {
    /// Far more than any answer needs: two tokens and an ID token.
    public static let mostBytes = 256 * 1024

    /// What the answer is to.
    public enum Purpose: Sendable {
        /// A code: an OpenID provider must add an ID token.
        case exchange
        /// A refresh token: there may be an ID token (OpenID Connect Core section 12.2). The type is that of the renewed token, and also of
        /// the new one if the answer names none: a refresh that succeeded is not lost to a missing member.
        case refresh(tokenType: String)

        /// The type if the answer names none.
        fileprivate var tokenType: String? {
            switch self {
            case .exchange: nil
            case .refresh(let type): type.isEmpty ? nil : type
            }
        }

        fileprivate var isExchange: Bool { if case .exchange = self { true } else { false } }
    }

    /// - Parameters:
    ///   - scopes: what was requested; this is what was granted if the answer names none.
    ///   - sentAt: when the request was sent: a token ages while its answer is on its way.
    ///   - now: for dates in the answer's headers.
    ///   - proofKey: the key that the request proved possession of (RFC 9449 section 5); nil if none.
    /// - Returns: the grant; its ID token, if any, is still to be verified. That of an issuer of plain OAuth 2.0 says at most how the person
    ///   signed in, and comes with a code only.
    public static func grant(
        from response: ProviderResponse, to purpose: Purpose, at provider: ResolvedProvider, scopes: [String],
        sentAt: Timestamp, now: Timestamp, proofKey: DPoPKey? = nil
    ) throws(TokenEndpointError) -> Grant {
        let answer = try TokenAnswer(response, at: provider, now: now)
        guard let accessToken = try answer.token("access_token") else {
            throw .malformed(.missing(member: "access_token"), refusal: nil)
        }
        let tokenType = try answer.text("token_type") ?? purpose.tokenType
        guard let tokenType else { throw .malformed(.missing(member: "token_type"), refusal: nil) }
        try check(tokenType, isBoundTo: proofKey, demanded: provider.provider.extensions.usesDPoP && purpose.isExchange)
        let isOpenID = provider.provider.kind == .oidc
        var idToken: Secret?
        if isOpenID {
            idToken = try answer.token("id_token", mostBytes: UnverifiedIDToken.mostBytes)
        } else if provider.provider.kind == .oauth2, provider.provider.issuer != nil, purpose.isExchange {
            // One that cannot be read is as good as none.
            idToken = (try? answer.token("id_token", mostBytes: UnverifiedIDToken.mostBytes)) ?? nil
        }
        if isOpenID, idToken == nil, purpose.isExchange { throw .malformed(.missing(member: "id_token"), refusal: nil) }
        let refreshToken = try answer.token("refresh_token")
        return Grant(
            accessToken: accessToken,
            tokenType: tokenType,
            expiresAt: try answer.lifetime("expires_in").map { sentAt.adding(seconds: max($0, 0)) },
            refreshToken: refreshToken,
            refreshTokenExpiresAt: refreshToken == nil ? nil : try refreshTokenEnd(in: answer, sentAt: sentAt),
            idToken: idToken,
            scopes: try answer.scopes(provider.dialect) ?? scopes,
            resources: provider.provider.extensions.resources,
            obtainedAt: sentAt,
            tokenHost: EndpointHost(provider.token),
            proofKey: proofKey)
    }

    /// The refresh token in an answer with any status 2xx, whatever else it contains: the previous one may be used up, so this may be the
    /// only key to the account. To be stored before the rest of the answer is checked.
    ///
    /// - Returns: nil if there is none, or none that could be sent (RFC 6749 appendix A.17). An expiry that makes no sense is ignored.
    public static func rotation(
        in response: ProviderResponse, at provider: ResolvedProvider, sentAt: Timestamp
    ) -> RotatedToken? {
        guard let answer = TokenAnswer(anythingIn: response, dialect: provider.dialect), let token = try? answer.token("refresh_token")
        else { return nil }
        return RotatedToken(token: token, expiresAt: try? refreshTokenEnd(in: answer, sentAt: sentAt), obtainedAt: sentAt)
    }

    /// The endpoint accepted the request, but its answer cannot be read: a refresh token may be used up.
    public static func isUnreadable(_ response: ProviderResponse, at provider: ResolvedProvider) -> Bool {
        (200..<300).contains(response.status) && TokenAnswer(anythingIn: response, dialect: provider.dialect) == nil
    }

    /// The tokens in an answer with any status 2xx that was not accepted, to be revoked at the provider: they are valid there, and nobody
    /// here has them.
    ///
    /// - Returns: nil if there is none.
    public static func refusedTokens(in response: ProviderResponse, at provider: ResolvedProvider, sentAt: Timestamp) -> Grant? {
        guard let answer = TokenAnswer(anythingIn: response, dialect: provider.dialect) else { return nil }
        let accessToken = try? answer.token("access_token")
        let refreshToken = try? answer.token("refresh_token")
        guard accessToken != nil || refreshToken != nil else { return nil }
        return Grant(accessToken: accessToken ?? Secret([]), tokenType: "", refreshToken: refreshToken, scopes: [], obtainedAt: sentAt)
    }

    /// A bearer token instead of a bound one is a downgrade (RFC 9449 section 5): a thief could use it.
    private static func check(_ type: String, isBoundTo proofKey: DPoPKey?, demanded: Bool) throws(TokenEndpointError) {
        switch type.lowercased() {
        case "dpop" where proofKey != nil: return
        case "bearer" where proofKey != nil || demanded: throw .malformed(.notBound, refusal: nil)
        case "bearer": return
        default: throw .malformed(.unknownTokenType(ProviderText.cleaned(type, longest: 64) ?? "nothing"), refusal: nil)
        }
    }

    /// GitHub's name, then Keycloak's, which writes 0 for a token without an expiry.
    private static func refreshTokenEnd(in answer: TokenAnswer, sentAt: Timestamp) throws(TokenEndpointError) -> Timestamp? {
        for member in ["refresh_token_expires_in", "refresh_expires_in"] {
            if let seconds = try answer.lifetime(member) { return seconds > 0 ? sentAt.adding(seconds: seconds) : nil }
        }
        return nil
    }
}
