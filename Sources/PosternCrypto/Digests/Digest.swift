import COpenSSL

/// The hash functions of the SHA family that are used, and none older than a protocol requires.
enum Digest: CaseIterable {
    /// Only for the HMAC of OAuth 1.0a and of one-time passwords.
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
    var size: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    func hash(_ bytes: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: size)
        var length: UInt32 = 0
        let done = EVP_Digest(bytes, bytes.count, &result, &length, method, nil)
        // No input makes this fail, only a libcrypto without memory or without its providers. With a wrong hash, unequal values would
        // compare equal, so the program cannot continue.
        precondition(done == 1 && Int(length) == size, "libcrypto cannot compute \(self)")
        return result
    }
}
