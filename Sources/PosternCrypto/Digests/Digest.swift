import COpenSSL

/// The hash functions of the SHA family that are used, and none older than a protocol requires.
enum Digest: CaseIterable {
    /// Only for the HMAC of OAuth 1.0a (RFC 5849 section 3.4.2) and of one-time passwords (RFC 4226).
    case sha1
    case sha256
    case sha384
    case sha512

    /// libcrypto's static description of the function; never freed.
    var method: OpaquePointer? {
        switch self {
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        case .sha384: EVP_sha384()
        case .sha512: EVP_sha512()
        }
    }

    /// Length of the result, in bytes.
    var size: Int { Int(EVP_MD_get_size(method)) }

    func hash(_ bytes: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: size)
        var length: UInt32 = 0
        let done = EVP_Digest(bytes, bytes.count, &result, &length, method, nil)
        // No input makes this fail, only a libcrypto without memory or without its providers. With a wrong hash, unequal values would
        // compare equal, so the program cannot continue.
        precondition(done == 1 && Int(length) == size, "libcrypto cannot compute \(self)")
        return result
    }

    /// A keyed hash (RFC 2104).
    func hmac(key: UnsafeRawBufferPointer, message: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: size)
        var length: UInt32 = 0
        let done = HMAC(method, key.baseAddress, Int32(clamping: key.count), message, message.count, &result, &length)
        // As in `hash`: no key and no message makes this fail.
        precondition(done != nil && Int(length) == size, "libcrypto cannot compute HMAC with \(self)")
        return result
    }

    func hmac(key: [UInt8], message: [UInt8]) -> [UInt8] { key.withUnsafeBytes { hmac(key: $0, message: message) } }
}
