import COpenSSL

/// Random bytes for secrets: states, verifiers, keys, nonces.
public enum RandomBytes {
    /// - Parameter count: how many, at least 0.
    /// - Throws: ``CryptoError`` if the generator cannot be seeded; nothing weaker is used instead.
    public static func generate(_ count: Int) throws(CryptoError) -> [UInt8] {
        guard count >= 0, let length = Int32(exactly: count) else {
            throw CryptoError(.operationFailed, "\(count) random bytes cannot be asked for at once")
        }
        var bytes = [UInt8](repeating: 0, count: count)
        // The private generator: the public one's output elsewhere (nonces of TLS) reveals nothing about it.
        guard RAND_priv_bytes(&bytes, length) == 1 else {
            throw CryptoError(.noRandomness, "the system gave no random bytes: \(ErrorQueue.drain())")
        }
        return bytes
    }
}
