import PosternValues

/// The key that seals secrets and personal data before they are written to disk.
///
/// Sealing is AES-256-GCM: data that was changed, truncated, or moved to another row (the associated data names the row) cannot be opened.
/// Each seal uses a new random nonce of 96 bits, which is safe for 2^32 seals under one key (NIST SP 800-38D section 8.3): a hundred a
/// second for more than a year without a pause.
public struct SealingKey: Sendable {
    /// The contents of the key file or the keyring.
    public let bytes: Secret

    /// The two uses have separate sub-keys, so that what one reveals says nothing about the other.
    private let encryptionKey: Secret
    private let indexKey: Secret

    /// Length of a key, in bytes.
    public static let byteCount = 32

    /// - Parameter bytes: 32 random bytes.
    public init(bytes: Secret) throws(CryptoError) {
        guard bytes.count == Self.byteCount else {
            throw CryptoError(.invalidKey, "the sealing key has \(bytes.count) bytes instead of \(Self.byteCount)")
        }
        self.bytes = bytes
        encryptionKey = Self.subkey(of: bytes, for: "postern sealing 1")
        indexKey = Self.subkey(of: bytes, for: "postern blind index 1")
    }

    public static func generate() throws(CryptoError) -> SealingKey {
        try SealingKey(bytes: Secret(RandomBytes.generate(byteCount)))
    }

    /// - Parameter associatedData: where the sealed bytes belong; needed again, unchanged, to open them.
    /// - Returns: nonce (12 bytes), ciphertext (as long as the plaintext), tag (16 bytes).
    public func seal(_ plaintext: [UInt8], associatedData: [UInt8]) throws(CryptoError) -> [UInt8] {
        let nonce = try RandomBytes.generate(AESGCM.nonceSize)
        return try nonce + AESGCM.seal(plaintext, key: encryptionKey, nonce: nonce, associatedData: associatedData)
    }

    /// The plaintext, or ``CryptoError/Code/cannotOpen``; nothing of it is returned before all of it is authenticated.
    public func open(_ sealed: [UInt8], associatedData: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard sealed.count >= AESGCM.nonceSize + AESGCM.tagSize else {
            throw CryptoError(.cannotOpen, "sealed data is cut short: \(sealed.count) bytes")
        }
        return try AESGCM.open(
            Array(sealed[AESGCM.nonceSize...]), key: encryptionKey, nonce: Array(sealed[..<AESGCM.nonceSize]),
            associatedData: associatedData)
    }

    /// A stable substitute of 32 bytes for a value that is only stored sealed, to look it up by.
    ///
    /// Someone who has the file but not the key can neither read the value from it nor test a guess.
    public func blindIndex(_ message: [UInt8]) -> [UInt8] {
        indexKey.withBytes { Digest.sha256.hmac(key: $0, message: message) }
    }

    /// HMAC as the pseudo-random function (NIST SP 800-108): the key is already uniform, so no extraction is needed.
    private static func subkey(of key: Secret, for purpose: String) -> Secret {
        Secret(key.withBytes { Digest.sha256.hmac(key: $0, message: Array(purpose.utf8)) })
    }
}
