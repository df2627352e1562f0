/// The page that ends a user's session at an OpenID provider (OpenID Connect RP-Initiated Logout 1.0 section 2).
public enum EndSessionRequest {
    /// - Parameters:
    ///   - idToken: that the provider gave, so that it knows whose session is meant without asking; an expired one will do.
    ///   - redirectURI: where the browser is to come back to; nil if the provider knows no such address of ours.
    ///   - state: goes with the redirect URI.
    /// - Returns: the address, which holds the ID token and so is for the user's browser alone; nil if there is no such page.
    public static func url(at provider: ResolvedProvider, idToken: Secret?, redirectURI: String?, state: Secret) -> Secret? {
        guard let endpoint = provider.endSession else { return nil }
        var parameters = [(name: "client_id", value: provider.clientID)]
        if let redirectURI {
            parameters.append(("post_logout_redirect_uri", redirectURI))
            parameters.append(("state", state.reveal()))
        }
        // Past this, browsers and servers begin to cut URLs off; without the hint the provider asks the user.
        if let idToken, idToken.count <= AuthorizationRequest.longestURL / 2 { parameters.append(("id_token_hint", idToken.reveal())) }
        return Secret(endpoint.appending(parameters))
    }
}
