/// Rules 9 and 10 of OpenID Connect Core section 3.1.3.7, and `nbf` (RFC 7519 section 4.1.5).
enum TimeCheck {
    static func check(_ claims: IDTokenClaims, now: Timestamp, longestAge: Int64?) throws(IDTokenRejection) {
        let leeway = IDTokenExpectation.leeway
        guard claims.expiresAt.adding(seconds: leeway) > now else { throw .expired(at: claims.expiresAt) }
        guard claims.issuedAt <= now.adding(seconds: leeway) else { throw .issuedInFuture(at: claims.issuedAt) }
        if let longestAge {
            guard claims.issuedAt.adding(seconds: longestAge + leeway) >= now else { throw .issuedTooLongAgo(at: claims.issuedAt) }
        }
        if let notBefore = claims.notBefore {
            guard notBefore <= now.adding(seconds: leeway) else { throw .notYetValid(until: notBefore) }
        }
    }
}
