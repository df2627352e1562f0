/// Rule 2 of OpenID Connect Core section 3.1.3.7: equal to the letter, so that no look-alike passes.
enum IssuerCheck {
    /// - Parameter expected: nil where the provider has no issuer, and then no token can be from it.
    static func check(_ issuer: String, expected: String?) throws(IDTokenRejection) {
        guard let expected, issuer.utf8.elementsEqual(expected.utf8) else {
            throw .issuerMismatch(found: ProviderText.cleaned(issuer, longest: ProviderText.longestName) ?? "nobody")
        }
    }
}
