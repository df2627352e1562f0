import COpenSSL

extension SigningKey {
    public static func generateES256() throws(CryptoError) -> SigningKey {
        let key = try generate(type: "EC") { EVP_PKEY_CTX_set_group_name($0, "prime256v1") }
        return try SigningKey(key: key, algorithm: .es256)
    }

    /// - Parameter bits: from 2048 to 8192.
    public static func generateRS256(bits: Int = 2048) throws(CryptoError) -> SigningKey {
        try SigningKey(key: generateRSA(bits: bits), algorithm: .rs256)
    }

    /// - Parameter bits: from 2048 to 8192.
    public static func generatePS256(bits: Int = 2048) throws(CryptoError) -> SigningKey {
        try SigningKey(key: generateRSA(bits: bits), algorithm: .ps256)
    }

    public static func generateEd25519() throws(CryptoError) -> SigningKey {
        try SigningKey(key: generate(type: "ED25519") { _ in 1 }, algorithm: .edDSA)
    }

    private static func generateRSA(bits: Int) throws(CryptoError) -> Key {
        guard Key.rsaBits.contains(bits) else {
            throw CryptoError(
                .invalidKey, "an RSA key has \(Key.rsaBits.lowerBound) to \(Key.rsaBits.upperBound) bits, not \(bits)")
        }
        return try generate(type: "RSA") { EVP_PKEY_CTX_set_rsa_keygen_bits($0, Int32(clamping: bits)) }
    }

    private static func generate(type: String, _ configure: (OpaquePointer) -> Int32) throws(CryptoError) -> Key {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, type, nil) else { throw CryptoError.failed("making a key") }
        defer { EVP_PKEY_CTX_free(context) }
        var pointer: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, configure(context) == 1, EVP_PKEY_generate(context, &pointer) == 1, let pointer
        else { throw CryptoError.failed("making a key") }
        return Key(owning: pointer)
    }
}
