import COpenSSL

/// Owns one `EVP_PKEY`.
///
/// `@unchecked Sendable`: the key is never changed once made, and OpenSSL locks its reference counts and caches itself.
final class Key: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// Takes over the one reference that the caller holds.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(pointer) }

    /// Lends the pointer for one call.
    func withPointer<Result>(_ body: (OpaquePointer) throws(CryptoError) -> Result) throws(CryptoError) -> Result {
        try body(pointer)
    }

    var isRSA: Bool { EVP_PKEY_is_a(pointer, "RSA") == 1 }
    var isEd25519: Bool { EVP_PKEY_is_a(pointer, "ED25519") == 1 }

    /// The curve alone says little: `EC` holds every curve.
    var isP256: Bool {
        guard EVP_PKEY_is_a(pointer, "EC") == 1 else { return false }
        var name = [CChar](repeating: 0, count: 32)
        var length = 0
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &length) == 1 else {
            ErrorQueue.clear()
            return false
        }
        return name.prefix(length).elementsEqual("prime256v1".utf8.map { CChar(bitPattern: $0) })
    }

    /// Bits of the modulus of an RSA key.
    var bits: Int { Int(EVP_PKEY_get_bits(pointer)) }

    /// A number of the key, big-endian.
    ///
    /// - Parameter size: bytes of the result, with zeros in front; nil for as many as the number needs.
    func number(_ name: String, size: Int? = nil) throws(CryptoError) -> [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(pointer, name, &number) == 1, let number else {
            throw CryptoError.failed("reading \(name) of a key")
        }
        defer { BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: size ?? (Int(BN_num_bits(number)) + 7) / 8)
        guard BN_bn2binpad(number, &bytes, Int32(clamping: bytes.count)) == Int32(clamping: bytes.count) else {
            throw CryptoError.failed("reading \(name) of a key")
        }
        return bytes
    }
}
