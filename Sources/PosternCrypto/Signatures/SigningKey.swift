import COpenSSL
import PosternCore

/// A private key and the one JWS algorithm it signs with.
public final class SigningKey: Sendable {
    public let algorithm: SignatureAlgorithm
    /// As a JWK shows it.
    public let publicKey: PublicKey
    let key: Key

    /// - Throws: ``CryptoError`` where the key does not fit the algorithm.
    init(key: Key, algorithm: SignatureAlgorithm) throws(CryptoError) {
        self.key = key
        self.algorithm = algorithm
        publicKey = try Self.publicPart(of: key, for: algorithm)
    }

    /// The signature in its JWS form: R and S for ES256, as it is for the others.
    public func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        let signature = try rawSignature(message)
        return algorithm == .es256 ? try ECDSASignature.raw(der: signature) : signature
    }

    private func rawSignature(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw CryptoError.failed("signing") }
        defer { EVP_MD_CTX_free(context) }
        let digest = algorithm == .edDSA ? nil : EVP_sha256()
        return try key.withPointer { key throws(CryptoError) in
            var settings: OpaquePointer?
            guard EVP_DigestSignInit(context, &settings, digest, nil, key) == 1 else { throw CryptoError.failed("signing") }
            if algorithm == .ps256 { try PSS.configure(settings) }
            var length = 0
            guard EVP_DigestSign(context, nil, &length, message, message.count) == 1 else { throw CryptoError.failed("signing") }
            var signature = [UInt8](repeating: 0, count: length)
            guard EVP_DigestSign(context, &signature, &length, message, message.count) == 1, length <= signature.count else {
                throw CryptoError.failed("signing")
            }
            // The first length is the longest there can be; DER is often a byte or two shorter.
            return Array(signature.prefix(length))
        }
    }

    private static func publicPart(of key: Key, for algorithm: SignatureAlgorithm) throws(CryptoError) -> PublicKey {
        switch algorithm {
        case .rs256, .ps256:
            guard key.isRSA, Key.rsaBits.contains(key.bits) else {
                throw CryptoError(
                    .invalidKey,
                    "\(algorithm.rawValue) needs an RSA key of \(Key.rsaBits.lowerBound) to \(Key.rsaBits.upperBound) bits")
            }
            return try .rsa(modulus: key.number(OSSL_PKEY_PARAM_RSA_N), exponent: key.number(OSSL_PKEY_PARAM_RSA_E))
        case .es256:
            guard key.isP256 else { throw CryptoError(.invalidKey, "ES256 needs a key on the curve P-256 (prime256v1)") }
            return try .p256(
                x: key.number(OSSL_PKEY_PARAM_EC_PUB_X, size: 32), y: key.number(OSSL_PKEY_PARAM_EC_PUB_Y, size: 32))
        case .edDSA:
            guard key.isEd25519 else { throw CryptoError(.invalidKey, "EdDSA needs an Ed25519 key") }
            return try .ed25519(key.rawPublicKey())
        }
    }
}

extension Key {
    fileprivate func rawPublicKey() throws(CryptoError) -> [UInt8] {
        try withPointer { key throws(CryptoError) in
            var bytes = [UInt8](repeating: 0, count: 32)
            var length = bytes.count
            guard EVP_PKEY_get_raw_public_key(key, &bytes, &length) == 1, length == bytes.count else {
                throw CryptoError.failed("reading an Ed25519 key")
            }
            return bytes
        }
    }
}
