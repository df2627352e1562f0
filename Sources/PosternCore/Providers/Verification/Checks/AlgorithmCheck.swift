/// RFC 8725 section 3.1: only an expected algorithm. `none` and HMAC are not in ``SignatureAlgorithm``, so no key set can make them
/// acceptable.
enum AlgorithmCheck {
    static func algorithm(named name: String, among allowed: Set<SignatureAlgorithm>) throws(IDTokenRejection) -> SignatureAlgorithm {
        guard let algorithm = SignatureAlgorithm(rawValue: name), allowed.contains(algorithm) else {
            throw .algorithmNotAllowed(ProviderText.cleaned(name, longest: 64) ?? "nothing")
        }
        return algorithm
    }
}
