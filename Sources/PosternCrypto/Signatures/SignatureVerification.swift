import COpenSSL
import PosternValues

/// Checks JWS signatures (RFC 7515 section 5.2).
enum SignatureVerification {
    /// - Throws: ``CryptoError`` if the key is invalid.
    static func isValid(
        signature: [UInt8], over message: [UInt8], algorithm: SignatureAlgorithm, key publicKey: PublicKey
    ) throws(CryptoError) -> Bool {
        switch (algorithm, publicKey) {
        case (.rs256, .rsa), (.rs384, .rsa), (.rs512, .rsa), (.ps256, .rsa), (.ps384, .rsa), (.ps512, .rsa):
            let key = try Key.publicKey(publicKey)
            // RFC 8017 section 8.2.2 step 1: neither shorter nor longer than the modulus.
            guard signature.count == (key.bits + 7) / 8 else { return false }
            return try verify(signature, message, key, algorithm)
        case (.es256, .p256), (.es384, .p384), (.es512, .p521):
            guard let curve = algorithm.curve, let der = try ECDSASignature.der(raw: signature, on: curve) else { return false }
            return try verify(der, message, Key.publicKey(publicKey), algorithm)
        case (.edDSA, .ed25519):
            guard signature.count == 64 else { return false }
            return try verify(signature, message, Key.publicKey(publicKey), algorithm)
        default:
            // The token names the algorithm, the issuer's key has its type: neither overrides the other.
            return false
        }
    }

    private static func verify(
        _ signature: [UInt8], _ message: [UInt8], _ key: Key, _ algorithm: SignatureAlgorithm
    ) throws(CryptoError) -> Bool {
        guard let context = EVP_MD_CTX_new() else { throw CryptoError.failed("checking a signature") }
        defer { EVP_MD_CTX_free(context) }
        return try key.withPointer { key throws(CryptoError) in
            var settings: OpaquePointer?
            guard EVP_DigestVerifyInit(context, &settings, algorithm.digest, nil, key) == 1 else {
                throw CryptoError.failed("checking a signature")
            }
            if algorithm.isPSS { try PSS.configure(settings, digest: algorithm.digest) }
            let verdict = EVP_DigestVerify(context, signature, signature.count, message, message.count)
            // 0 means that the signature does not fit, below 0 that it cannot even be parsed; both leave errors in the queue.
            ErrorQueue.clear()
            return verdict == 1
        }
    }
}

/// RSASSA-PSS as PS256 and the like define it: MGF1 with the hash of the message, a salt as long as that hash (RFC 7518 section 3.5).
enum PSS {
    /// - Parameter settings: the context of a signature in progress; its owner keeps it.
    static func configure(_ settings: OpaquePointer?, digest: OpaquePointer?) throws(CryptoError) {
        guard EVP_PKEY_CTX_set_rsa_padding(settings, RSA_PKCS1_PSS_PADDING) == 1,
            EVP_PKEY_CTX_set_rsa_pss_saltlen(settings, RSA_PSS_SALTLEN_DIGEST) == 1,
            EVP_PKEY_CTX_set_rsa_mgf1_md(settings, digest) == 1
        else { throw CryptoError.failed("choosing the padding of a signature") }
    }
}
