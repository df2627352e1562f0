import COpenSSL
import PosternValues

/// A private key and the one JWS algorithm that it signs with.
public final class SigningKey: Sendable {
    public let algorithm: SignatureAlgorithm
    /// As in a JWK.
    public let publicKey: PublicKey
    let key: Key

    /// - Throws: ``CryptoError`` if the key does not fit the algorithm.
    init(key: Key, algorithm: SignatureAlgorithm) throws(CryptoError) {
        self.key = key
        self.algorithm = algorithm
        publicKey = try Self.publicPart(of: key, for: algorithm)
    }

    /// The signature in its JWS form: R and S for a curve, unchanged for the others.
    public func sign(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        let signature = try rawSignature(message)
        guard let curve = algorithm.curve else { return signature }
        return try ECDSASignature.raw(der: signature, on: curve)
    }

    private func rawSignature(_ message: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw CryptoError.failed("signing") }
        defer { EVP_MD_CTX_free(context) }
        return try key.withPointer { key throws(CryptoError) in
            var settings: OpaquePointer?
            guard EVP_DigestSignInit(context, &settings, algorithm.digest, nil, key) == 1 else { throw CryptoError.failed("signing") }
            if algorithm.isPSS { try PSS.configure(settings, digest: algorithm.digest) }
            var length = 0
            guard EVP_DigestSign(context, nil, &length, message, message.count) == 1 else { throw CryptoError.failed("signing") }
            var signature = [UInt8](repeating: 0, count: length)
            guard EVP_DigestSign(context, &signature, &length, message, message.count) == 1, length <= signature.count else {
                throw CryptoError.failed("signing")
            }
            // The first length is the maximum; DER is often a byte or two shorter.
            return Array(signature.prefix(length))
        }
    }

    private static func publicPart(of key: Key, for algorithm: SignatureAlgorithm) throws(CryptoError) -> PublicKey {
        if let curve = algorithm.curve {
            guard key.isOn(curve) else {
                throw CryptoError(.invalidKey, "\(algorithm.rawValue) needs a key on the curve \(curve.name) (\(curve.groupName))")
            }
            return curve.publicKey(
                try key.number(OSSL_PKEY_PARAM_EC_PUB_X, size: curve.coordinateSize),
                try key.number(OSSL_PKEY_PARAM_EC_PUB_Y, size: curve.coordinateSize))
        }
        switch algorithm {
        case .edDSA:
            guard key.isEd25519 else { throw CryptoError(.invalidKey, "EdDSA needs an Ed25519 key") }
            return try .ed25519(key.rawPublicKey())
        default:
            guard key.isRSA, Key.rsaBits.contains(key.bits) else {
                throw CryptoError(
                    .invalidKey,
                    "\(algorithm.rawValue) needs an RSA key of \(Key.rsaBits.lowerBound) to \(Key.rsaBits.upperBound) bits")
            }
            return try .rsa(modulus: key.number(OSSL_PKEY_PARAM_RSA_N), exponent: key.number(OSSL_PKEY_PARAM_RSA_E))
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

extension SigningKey {
    public static func generateES256() throws(CryptoError) -> SigningKey {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { throw CryptoError.failed("making a key") }
        defer { EVP_PKEY_CTX_free(context) }
        var pointer: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "prime256v1") == 1,
            EVP_PKEY_generate(context, &pointer) == 1, let pointer
        else { throw CryptoError.failed("making a key") }
        return try SigningKey(key: Key(owning: pointer), algorithm: .es256)
    }
}

extension SigningKey {
    /// Longest PEM text that is read, in bytes: an RSA key of 8192 bits needs 6,400.
    private static let maximumPEMBytes = 64 * 1024

    /// Reads a private key without a passphrase (`BEGIN PRIVATE KEY`, `BEGIN EC PRIVATE KEY`, `BEGIN RSA PRIVATE KEY`).
    public convenience init(pem: Secret, algorithm: SignatureAlgorithm) throws(CryptoError) {
        try self.init(key: Self.read(pem), algorithm: algorithm)
    }

    /// The key as PKCS #8 in PEM, without a passphrase.
    public func pem() throws(CryptoError) -> Secret {
        // Secure memory BIO: the buffer is wiped when freed.
        guard let bio = BIO_new(BIO_s_secmem()) else { throw CryptoError.failed("writing a key") }
        defer { BIO_free(bio) }
        let written = try key.withPointer { PEM_write_bio_PKCS8PrivateKey(bio, $0, nil, nil, 0, nil, nil) }
        guard written == 1 else { throw CryptoError.failed("writing a key") }
        var start: UnsafeMutablePointer<CChar>?
        let count = BIO_ctrl(bio, BIO_CTRL_INFO, 0, &start)
        guard count > 0, let start else { throw CryptoError.failed("writing a key") }
        return Secret(UnsafeRawBufferPointer(start: start, count: count))
    }

    private static func read(_ pem: Secret) throws(CryptoError) -> Key {
        guard pem.count <= maximumPEMBytes else {
            throw CryptoError(.invalidKey, "a private key of \(pem.count) bytes is too long")
        }
        let pointer = pem.withBytes { bytes -> OpaquePointer? in
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
            defer { BIO_free(bio) }
            // Without our callback, libcrypto asks for a passphrase on the terminal.
            return PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
        }
        guard let pointer else {
            throw CryptoError.invalidKey("the text is not a private key in PEM without a passphrase")
        }
        return Key(owning: pointer)
    }
}
