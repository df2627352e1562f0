/// OpenID Connect Core section 12.2: a refreshed ID token continues the previous one.
enum ContinuityCheck {
    /// - Parameter keepsAuthenticationTime: false for providers that set it to the user's latest sign-in, whatever the first token had.
    static func check(
        _ claims: IDTokenClaims, after earlier: IDTokenClaims?, keepsAuthenticationTime: Bool = true
    ) throws(IDTokenRejection) {
        guard let earlier else { return }
        guard claims.issuer == earlier.issuer else { throw .differsFromEarlier(claim: "iss") }
        guard claims.subject == earlier.subject else { throw .differsFromEarlier(claim: "sub") }
        guard Set(claims.audiences) == Set(earlier.audiences) else { throw .differsFromEarlier(claim: "aud") }
        if keepsAuthenticationTime, let before = earlier.authenticatedAt, let after = claims.authenticatedAt, before != after {
            throw .differsFromEarlier(claim: "auth_time")
        }
        // Equal is allowed: both may have been issued within one second.
        guard claims.issuedAt >= earlier.issuedAt else { throw .olderThanEarlier }
    }
}
