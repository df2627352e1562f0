/// How often a token endpoint is asked for one credential, whatever is asked for: another service, fewer scopes, an ID token.
///
/// ``RenewalMemory`` keeps a program from asking for the same token again and again, but a program can invent as many services as it likes.
enum TokenRequestPace {
    /// As many at once as there are different tokens to remember, so that no program that starts after a boot has to wait; then six a
    /// minute, which is no burden (``RenewalMemory/longestFreshness``).
    static var new: TokenBucket { TokenBucket(capacity: Int64(RestrictedTokens.limit) + 1, secondsPerToken: 10) }
}
