/// `at_hash` and `c_hash` (OpenID Connect Core sections 3.1.3.8 and 3.3.2.11): the access token and the code are those that the ID token
/// was issued with.
enum TokenHashCheck {
    /// The left half of the hash that belongs to the signature's algorithm, base64url.
    static func hash(of secret: Secret, algorithm: SignatureAlgorithm, cryptography: some Cryptography) -> String {
        let bytes = secret.revealBytes()
        let digest =
            switch algorithm.hash {
            case .sha256: cryptography.sha256(bytes)
            case .sha384: cryptography.sha384(bytes)
            case .sha512: cryptography.sha512(bytes)
            }
        return Base64URL.encode(digest.prefix(digest.count / 2))
    }

    /// In the code flow both claims may be missing; one that is present must be right.
    static func check(
        _ claims: IDTokenClaims, accessToken: Secret?, code: Secret?, algorithm: SignatureAlgorithm, cryptography: some Cryptography
    ) throws(IDTokenRejection) {
        if let claimed = claims.accessTokenHash, let accessToken {
            let expected = hash(of: accessToken, algorithm: algorithm, cryptography: cryptography)
            guard Secret(claimed) == Secret(expected) else { throw .accessTokenHashMismatch }
        }
        if let claimed = claims.codeHash, let code {
            let expected = hash(of: code, algorithm: algorithm, cryptography: cryptography)
            guard Secret(claimed) == Secret(expected) else { throw .codeHashMismatch }
        }
    }
}
