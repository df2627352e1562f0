import PosternApplication
import PosternCore
import PosternCrypto

/// Random values and keys of libcrypto.
struct OpenSSLRandomness: Randomness {
    func bytes(_ count: Int) throws(RandomnessFailure) -> [UInt8] {
        do throws(CryptoError) { return try RandomBytes.generate(count) } catch { throw RandomnessFailure("\(error)") }
    }

    func proofKey() throws(RandomnessFailure) -> DPoPKey {
        do throws(CryptoError) {
            let key = try SigningKey.generateES256()
            guard case .p256(let x, let y) = key.publicKey, let proofKey = DPoPKey(privateKeyPEM: try key.pem(), x: x, y: y) else {
                throw CryptoError(.invalidKey, "the new key is none of P-256")
            }
            return proofKey
        } catch {
            throw RandomnessFailure("\(error)")
        }
    }
}
