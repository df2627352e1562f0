import StrictJSON

/// What a provider gave, as `accounts:signInWithIdp` wants it: a query in a member of a document.
///
/// Every name and value is percent-encoded. Firebase's own library for Apple's platforms decodes them again before they are sent, so
/// that a token with `&` or `+` in it arrives as another one.
struct FirebasePostBody {
    let text: String

    init(_ completed: CompletedSignIn) {
        let grant = completed.grant
        let identity = completed.profile.identity
        var pairs: [(name: String, value: String)] = []
        if let idToken = grant.idToken {
            pairs.append(("id_token", idToken.reveal()))
            if let nonce = completed.rawNonce { pairs.append(("nonce", nonce.reveal())) }
        }
        if grant.hasAccessToken { pairs.append(("access_token", grant.accessToken.reveal())) }
        if let secret = grant.tokenSecret { pairs.append(("oauth_token_secret", secret.reveal())) }
        pairs.append(("providerId", identity.providerID))
        // The name is told by Apple once, and beside the token: without this the project would never learn it.
        if identity.providerID == "apple.com", let name = identity.displayName { pairs.append(("user", Self.appleUser(name))) }
        text = PercentEncoding.query(pairs)
    }

    private static func appleUser(_ name: String) -> String {
        let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
        var members: JSONObject = ["firstName": .string(parts.first ?? name)]
        if parts.count > 1 { members["lastName"] = .string(parts[1]) }
        return JSON.object(["name": .object(members)]).text
    }
}
