import Glibc
import PosternApplication
import PosternCore
import PosternCrypto

/// The system's clocks.
struct SystemClock: WallClock {
    var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    var uptime: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec)
    }
}

/// Random values and keys from libcrypto.
struct OpenSSLRandomness: Randomness {
    func bytes(_ count: Int) throws(RandomnessFailure) -> [UInt8] {
        do throws(CryptoError) { return try RandomBytes.generate(count) } catch { throw RandomnessFailure("\(error)") }
    }

    func proofKey() throws(RandomnessFailure) -> DPoPKey {
        do throws(CryptoError) {
            let key = try SigningKey.generateES256()
            guard case .p256(let x, let y) = key.publicKey, let proofKey = DPoPKey(privateKeyPEM: try key.pem(), x: x, y: y) else {
                throw CryptoError(.invalidKey, "the new key is not on P-256")
            }
            return proofKey
        } catch {
            throw RandomnessFailure("\(error)")
        }
    }
}
