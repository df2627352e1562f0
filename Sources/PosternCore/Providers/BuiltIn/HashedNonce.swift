/// A nonce that is sent as its SHA-256 in lower-case hexadecimal, as in Firebase's guides for Apple and Facebook.
///
/// The token contains the hash. A client that presents the original nonce proves that it began the sign-in; someone who has only seen the
/// token cannot.
enum HashedNonce {
    static func sent(_ raw: Secret, cryptography: any Cryptography) -> Secret {
        Secret(Hexadecimal.encode(cryptography.sha256(raw.revealBytes())))
    }
}
