import COpenSSL

/// The two formats of an ECDSA signature: R and S, each as long as a coordinate of the curve, for JWS (RFC 7518 section 3.4), and DER for
/// libcrypto.
enum ECDSASignature {
    /// Nil if the bytes are not R and S: a DER signature is refused like any other of the wrong size.
    static func der(raw: [UInt8], on curve: Curve) throws(CryptoError) -> [UInt8]? {
        let size = curve.coordinateSize
        guard raw.count == 2 * size else { return nil }
        guard let signature = ECDSA_SIG_new() else { throw CryptoError.failed("reading a signature") }
        defer { ECDSA_SIG_free(signature) }
        let r = BN_bin2bn(Array(raw[..<size]), Int32(size), nil)
        let s = BN_bin2bn(Array(raw[size...]), Int32(size), nil)
        guard r != nil, s != nil, ECDSA_SIG_set0(signature, r, s) == 1 else {
            // Ownership was not transferred, so they are still ours.
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

    static func raw(der: [UInt8], on curve: Curve) throws(CryptoError) -> [UInt8] {
        let decoded = der.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return d2i_ECDSA_SIG(nil, &position, buffer.count)
        }
        guard let signature = decoded else { throw CryptoError.failed("reading a signature") }
        defer { ECDSA_SIG_free(signature) }
        let size = Int32(curve.coordinateSize)
        var r = [UInt8](repeating: 0, count: curve.coordinateSize)
        var s = r
        guard BN_bn2binpad(ECDSA_SIG_get0_r(signature), &r, size) == size, BN_bn2binpad(ECDSA_SIG_get0_s(signature), &s, size) == size
        else {
            throw CryptoError.failed("reading a signature")
        }
        return r + s
    }
}
