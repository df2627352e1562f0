/// A nonce that is sent as its SHA-256 in lower-case hexadecimal, as Firebase's guides for Apple and Facebook have it.
///
/// The token carries the hash. Who shows the nonce as it was made proves that they began the sign-in, which nobody can who has
/// only seen the token.
enum HashedNonce {
    static func sent(_ raw: Secret, cryptography: any Cryptography) -> Secret {
        Secret(Hexadecimal.encode(cryptography.sha256(raw.revealBytes())))
    }
}
