import COpenSSL

/// Random bytes for secrets: states, verifiers, keys, nonces.
public enum RandomBytes {
    /// - Parameter count: how many, from 0 on.
    /// - Throws: ``CryptoError`` if the generator cannot be seeded; nothing weaker is used in its place.
    public static func generate(_ count: Int) throws(CryptoError) -> [UInt8] {
        guard count >= 0, let length = Int32(exactly: count) else {
            throw CryptoError(.operationFailed, "\(count) random bytes cannot be asked for at once")
        }
        var bytes = [UInt8](repeating: 0, count: count)
        // The private generator: what the public one gives out elsewhere (nonces of TLS) says nothing about these.
        guard RAND_priv_bytes(&bytes, length) == 1 else {
            throw CryptoError(.noRandomness, "the system gave no random bytes: \(ErrorQueue.drain())")
        }
        return bytes
    }
}
