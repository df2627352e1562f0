import COpenSSL

/// The two shapes of an ECDSA signature on P-256: R and S of 32 bytes each for JWS (RFC 7518 section 3.4), DER for libcrypto.
enum ECDSASignature {
    static let rawSize = 64

    /// Nil where the bytes are not R and S: a DER signature is refused like any other of a wrong size.
    static func der(raw: [UInt8]) throws(CryptoError) -> [UInt8]? {
        guard raw.count == rawSize else { return nil }
        guard let signature = ECDSA_SIG_new() else { throw CryptoError.failed("reading a signature") }
        defer { ECDSA_SIG_free(signature) }
        let r = BN_bin2bn(Array(raw[..<32]), 32, nil)
        let s = BN_bin2bn(Array(raw[32...]), 32, nil)
        guard r != nil, s != nil, ECDSA_SIG_set0(signature, r, s) == 1 else {
            // Not taken over, so still ours.
            BN_free(r)
            BN_free(s)
            throw CryptoError.failed("reading a signature")
        }
        var encoded: UnsafeMutablePointer<UInt8>?
        let length = i2d_ECDSA_SIG(signature, &encoded)
        defer { CRYPTO_free(encoded, #file, #line) }
        guard length > 0, let encoded else { throw CryptoError.failed("reading a signature") }
        return Array(UnsafeBufferPointer(start: encoded, count: Int(length)))
    }

    static func raw(der: [UInt8]) throws(CryptoError) -> [UInt8] {
        let decoded = der.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return d2i_ECDSA_SIG(nil, &position, buffer.count)
        }
        guard let signature = decoded else { throw CryptoError.failed("reading a signature") }
        defer { ECDSA_SIG_free(signature) }
        var r = [UInt8](repeating: 0, count: 32)
        var s = [UInt8](repeating: 0, count: 32)
        guard BN_bn2binpad(ECDSA_SIG_get0_r(signature), &r, 32) == 32, BN_bn2binpad(ECDSA_SIG_get0_s(signature), &s, 32) == 32 else {
            throw CryptoError.failed("reading a signature")
        }
        return r + s
    }
}
