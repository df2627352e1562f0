/// Rule 13 of OpenID Connect Core section 3.1.3.7: a client that required a recent authentication (`max_age`) gets one.
enum AuthenticationAgeCheck {
    static func check(_ authenticatedAt: Timestamp?, longest: Int64?, now: Timestamp) throws(IDTokenRejection) {
        guard let longest else { return }
        guard let authenticatedAt else { throw .authenticationTimeMissing }
        let end = authenticatedAt.adding(seconds: max(longest, 0)).adding(seconds: IDTokenExpectation.leeway)
        guard end >= now else { throw .authenticatedTooLongAgo(at: authenticatedAt) }
    }
}
