/// The page at the provider that a person is sent to (RFC 5849 section 2.2).
public enum OAuth1Page {
    /// Absolute. The callback is not in it: the provider keeps the one that was named for the request token, and one that stands in a URL
    /// could be changed on the way.
    ///
    /// - Parameter parameters: the program's; they go before the configured ones of the same name.
    public static func url(
        at provider: ResolvedProvider, requestToken: OAuth1Token, parameters: [String: String], loginHint: String?
    ) throws(AuthorizationRequestError) -> String {
        var extra = provider.provider.parameters.merging(parameters) { _, programs in programs }
        try AuthorizationRequest.check(extra.keys, fixed: provider.authorization.queryNames, reserved: provider.dialect.reservedParameters)
        if let loginHint { extra[provider.dialect.loginHintParameter] = loginHint }
        let further = extra.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        let url = provider.authorization.appending([("oauth_token", requestToken.token.reveal())] + further)
        guard url.utf8.count <= AuthorizationRequest.longestURL else { throw .tooLong(limit: AuthorizationRequest.longestURL) }
        return url
    }
}
