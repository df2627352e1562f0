/// The page that ends a user's session at an OpenID provider (OpenID Connect RP-Initiated Logout 1.0 section 2).
public enum EndSessionRequest {
    /// - Parameters:
    ///   - idToken: from the provider, so that it knows whose session is meant without asking; it may have expired.
    ///   - redirectURI: where the browser is to return to; nil if no such URL of ours is registered at the provider.
    ///   - state: sent with the redirect URI.
    /// - Returns: the URL, which contains the ID token and so is only for the user's browser; nil if there is no such page.
    public static func url(at provider: ResolvedProvider, idToken: Secret?, redirectURI: String?, state: Secret) -> Secret? {
        guard let endpoint = provider.endSession else { return nil }
        var parameters = [(name: "client_id", value: provider.clientID)]
        if let redirectURI {
            parameters.append(("post_logout_redirect_uri", redirectURI))
            parameters.append(("state", state.reveal()))
        }
        // Longer URLs begin to be truncated by browsers and servers; without the hint the provider asks the user.
        if let idToken, idToken.count <= AuthorizationRequest.longestURL / 2 { parameters.append(("id_token_hint", idToken.reveal())) }
        return Secret(endpoint.appending(parameters))
    }
}
