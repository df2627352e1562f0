/// That the provider signed it, with the key it names (OpenID Connect Core section 3.1.3.7, rule 6).
enum SignatureCheck {
    /// - Returns: the key.
    @discardableResult
    static func check(
        _ jws: CompactJWS, algorithm: SignatureAlgorithm, keys: KeySet, cryptography: some Cryptography
    ) throws(IDTokenRejection) -> PublicKey {
        switch keys.select(keyID: jws.header.keyID, algorithm: algorithm) {
        case .unknown:
            throw .unknownKey(kid: jws.header.keyID.flatMap { ProviderText.cleaned($0, longest: 64) })
        case .ambiguous:
            throw .ambiguousKey
        case .key(let key):
            guard cryptography.isValid(signature: jws.signature, over: jws.signingInput, algorithm: algorithm, key: key)
            else { throw .invalidSignature }
            return key
        }
    }
}
