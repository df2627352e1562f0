import COpenSSL
import PosternCore

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
            // Without a callback of ours, libcrypto asks for a passphrase on the terminal.
            return PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
        }
        guard let pointer else {
            throw CryptoError.invalidKey("the text is not a private key in PEM without a passphrase")
        }
        return Key(owning: pointer)
    }
}
