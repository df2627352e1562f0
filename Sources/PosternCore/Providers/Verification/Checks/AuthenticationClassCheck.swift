/// A server that demanded one of these ways to sign in gets one of them (RFC 9470 section 5, OpenID Connect Core section 3.1.3.7 rule 12).
enum AuthenticationClassCheck {
    static func check(_ claims: IDTokenClaims, demanded: [String]) throws(IDTokenRejection) {
        guard !demanded.isEmpty else { return }
        guard let found = claims.document["acr"]?.stringValue else { throw .authenticationClassMissing }
        guard demanded.contains(found) else {
            throw .authenticationTooWeak(found: ProviderText.cleaned(found, longest: ProviderText.longestName) ?? "an empty text")
        }
    }
}
