/// That a key for one issuer's tokens signed one of that issuer's.
///
/// If many issuers share one key set, as Entra's tenants do, a key may be for some of them only: otherwise a token of the consumers' issuer
/// could pass as one of a company's. Elsewhere the member means nothing, and is ignored.
enum KeyIssuerCheck {
    /// - Parameter issuers: ``KeySet/issuers(of:)`` for the signing key.
    static func check(_ issuers: [String?], of claims: IDTokenClaims, rule: IssuerRule) throws(IDTokenRejection) {
        guard case .template(_, let placeholder, let claim, _) = rule else { return }
        let value = claims.document[claim]?.stringValue ?? ""
        let isForIt = issuers.contains { issuer in
            guard let issuer else { return true }
            return issuer.replacingFirst(placeholder, with: value).utf8.elementsEqual(claims.issuer.utf8)
        }
        guard isForIt else {
            let found = ProviderText.cleaned(claims.issuer, longest: ProviderText.longestName) ?? "nobody"
            throw .keyOfAnotherIssuer(found: found)
        }
    }
}
