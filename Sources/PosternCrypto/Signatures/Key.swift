import COpenSSL
import PosternValues

/// Owns one `EVP_PKEY`.
///
/// `@unchecked Sendable`: the key is never changed once made, and OpenSSL locks its reference counts and caches itself.
final class Key: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// Takes over the caller's one reference.
    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    deinit { EVP_PKEY_free(pointer) }

    /// Lends the pointer for one call.
    func withPointer<Result>(_ body: (OpaquePointer) throws(CryptoError) -> Result) throws(CryptoError) -> Result {
        try body(pointer)
    }

    var isRSA: Bool { EVP_PKEY_is_a(pointer, "RSA") == 1 }
    var isEd25519: Bool { EVP_PKEY_is_a(pointer, "ED25519") == 1 }

    /// `EC` alone is not enough: it includes every curve.
    func isOn(_ curve: Curve) -> Bool {
        guard EVP_PKEY_is_a(pointer, "EC") == 1 else { return false }
        var name = [CChar](repeating: 0, count: 32)
        var length = 0
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &length) == 1 else {
            ErrorQueue.clear()
            return false
        }
        return name.prefix(length).elementsEqual(curve.groupName.utf8.map { CChar(bitPattern: $0) })
    }

    /// Bits of the modulus of an RSA key.
    var bits: Int { Int(EVP_PKEY_get_bits(pointer)) }

    /// A number of the key, big-endian.
    ///
    /// - Parameter size: bytes of the result, with leading zeros; nil for as many as the number needs.
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

extension Key {
    /// RSA moduli accepted, in bits. Below, the key can be broken (RFC 7518 section 3.3); above, a key that a provider publishes makes each
    /// check so slow that it stalls everything else.
    static let rsaBits = 2048...8192

    /// Makes a key from the numbers of a JWK, after checking that they are valid.
    static func publicKey(_ key: PublicKey) throws(CryptoError) -> Key {
        switch key {
        case .rsa(let modulus, let exponent): try rsa(modulus: modulus, exponent: exponent)
        case .p256(let x, let y): try point(x: x, y: y, on: .p256)
        case .p384(let x, let y): try point(x: x, y: y, on: .p384)
        case .p521(let x, let y): try point(x: x, y: y, on: .p521)
        case .ed25519(let bytes): try ed25519(bytes)
        }
    }

    private static func rsa(modulus: [UInt8], exponent: [UInt8]) throws(CryptoError) -> Key {
        // RFC 7518 section 6.3.1.1 forbids leading zeros, and some providers send one anyway.
        let modulus = Array(modulus.drop { $0 == 0 })
        let exponent = Array(exponent.drop { $0 == 0 })
        guard let first = modulus.first, let last = modulus.last else { throw CryptoError.invalidKey("the RSA modulus is empty") }
        let bits = modulus.count * 8 - first.leadingZeroBitCount
        guard rsaBits.contains(bits) else {
            throw CryptoError.invalidKey("an RSA modulus of \(bits) bits is not between \(rsaBits.lowerBound) and \(rsaBits.upperBound)")
        }
        guard last & 1 == 1 else { throw CryptoError.invalidKey("the RSA modulus is even") }
        // Real ones are 65537 or 3; the cost of a check grows with the exponent. With 1 every message would be its own signature.
        guard let lastOfExponent = exponent.last, exponent.count <= 4, lastOfExponent & 1 == 1, exponent != [1] else {
            throw CryptoError.invalidKey("the RSA exponent is not an odd number from 3 to 2^32")
        }
        return try imported(type: "RSA", kind: "RSA") { builder throws(CryptoError) in
            try builder.push(OSSL_PKEY_PARAM_RSA_N, number: modulus)
            try builder.push(OSSL_PKEY_PARAM_RSA_E, number: exponent)
        }
    }

    private static func point(x: [UInt8], y: [UInt8], on curve: Curve) throws(CryptoError) -> Key {
        let size = curve.coordinateSize
        guard x.count == size, y.count == size else {
            throw CryptoError.invalidKey("coordinates on \(curve.name) have \(size) bytes, not \(x.count) and \(y.count)")
        }
        // A point off the curve cannot be decoded: libcrypto checks the equation.
        return try imported(type: "EC", kind: curve.name) { builder throws(CryptoError) in
            try builder.push(OSSL_PKEY_PARAM_GROUP_NAME, text: curve.groupName)
            try builder.push(OSSL_PKEY_PARAM_PUB_KEY, bytes: [4] + x + y)
        }
    }

    private static func ed25519(_ bytes: [UInt8]) throws(CryptoError) -> Key {
        guard bytes.count == 32 else { throw CryptoError.invalidKey("an Ed25519 key has 32 bytes, not \(bytes.count)") }
        guard let pointer = EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, bytes, bytes.count) else {
            throw CryptoError.invalidKey("the Ed25519 key is not a point on the curve")
        }
        return Key(owning: pointer)
    }

    private static func imported(
        type: String, kind: String, _ fill: (ParameterBuilder) throws(CryptoError) -> Void
    ) throws(CryptoError) -> Key {
        let builder = try ParameterBuilder()
        try fill(builder)
        guard let context = EVP_PKEY_CTX_new_from_name(nil, type, nil) else { throw CryptoError.failed("reading a key") }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_fromdata_init(context) == 1 else { throw CryptoError.failed("reading a key") }
        var pointer: OpaquePointer?
        let imported = try builder.withParameters { EVP_PKEY_fromdata(context, &pointer, POSTERN_EVP_PKEY_PUBLIC_KEY, $0) }
        guard imported == 1, let pointer else { throw CryptoError.invalidKey("the numbers of the \(kind) key are not a key") }
        return Key(owning: pointer)
    }
}
