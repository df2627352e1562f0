import COpenSSL

/// Keyed hashes (RFC 2104).
public enum HMAC {
    /// 32 bytes.
    public static func sha256(key: [UInt8], message: [UInt8]) -> [UInt8] {
        key.withUnsafeBytes { authenticate(message, key: $0, digest: .sha256) }
    }

    /// 64 bytes.
    public static func sha512(key: [UInt8], message: [UInt8]) -> [UInt8] {
        key.withUnsafeBytes { authenticate(message, key: $0, digest: .sha512) }
    }

    /// 20 bytes; for OAuth 1.0a (RFC 5849 section 3.4.2) and one-time passwords (RFC 4226), and nothing else.
    public static func sha1(key: [UInt8], message: [UInt8]) -> [UInt8] {
        key.withUnsafeBytes { authenticate(message, key: $0, digest: .sha1) }
    }

    static func sha256(key: UnsafeRawBufferPointer, message: [UInt8]) -> [UInt8] {
        authenticate(message, key: key, digest: .sha256)
    }

    private static func authenticate(_ message: [UInt8], key: UnsafeRawBufferPointer, digest: Digest) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: digest.size)
        var length: UInt32 = 0
        let done = COpenSSL.HMAC(
            digest.method, key.baseAddress, Int32(clamping: key.count), message, message.count, &result, &length)
        // As in Digest.hash: no key and no message makes this fail.
        precondition(done != nil && Int(length) == digest.size, "libcrypto cannot compute HMAC with \(digest)")
        return result
    }
}
