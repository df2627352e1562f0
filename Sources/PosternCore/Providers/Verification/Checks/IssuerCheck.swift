/// Rule 2 of OpenID Connect Core section 3.1.3.7: exactly equal, so that no look-alike is accepted.
enum IssuerCheck {
    /// - Parameter claim: a string claim of the token, by its name.
    static func check(
        _ issuer: String, rule: IssuerRule, claim: (String) -> String?
    ) throws(IDTokenRejection) {
        let expected: [String]
        switch rule {
        case .exact(let issuer): expected = issuer.map { [$0] } ?? []
        case .anyOf(let issuers): expected = issuers
        case .template(let template, let placeholder, let name, let allowed):
            guard let value = claim(name), isSegment(value), allowed?.contains(value) ?? true else { throw mismatch(issuer) }
            expected = [template.replacingFirst(placeholder, with: value)]
        }
        guard expected.contains(where: { issuer.utf8.elementsEqual($0.utf8) }) else { throw mismatch(issuer) }
    }

    /// A value inserted into a template must not contain slashes.
    private static func isSegment(_ value: String) -> Bool {
        (1...64).contains(value.utf8.count)
            && value.utf8.allSatisfy { $0.isASCIILetter || $0.isDecimalDigit || $0 == UInt8(ascii: "-") }
    }

    private static func mismatch(_ issuer: String) -> IDTokenRejection {
        .issuerMismatch(found: ProviderText.cleaned(issuer, longest: ProviderText.longestName) ?? "nobody")
    }
}
