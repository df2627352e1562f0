import PosternCore
import PosternCrypto
import Testing

/// Keys as a hostile or broken provider might publish them: each is refused, quickly, and leaves nothing behind.
@Suite("Hostile keys")
struct HostileKeyTests {
    struct HostileKey: Sendable, CustomStringConvertible {
        var description: String
        var algorithm: SignatureAlgorithm
        var key: PublicKey
    }

    private static let modulus = [UInt8](repeating: 0xc5, count: 256)
    private static let ones = [UInt8](repeating: 0xff, count: 32)
    /// The base point of P-256, for changes of it.
    private static let baseX = hex("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296")
    private static let baseY = hex("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")

    private static let rsaKeys: [(String, [UInt8], [UInt8])] = [
        ("an empty modulus", [], [1, 0, 1]),
        ("a modulus of zeros", [UInt8](repeating: 0, count: 256), [1, 0, 1]),
        ("an empty exponent", modulus, []),
        ("an exponent of zero", modulus, [0]),
        ("an exponent of one", modulus, [1]),
        ("an even exponent", modulus, [1, 0, 0]),
        ("a huge exponent", modulus, [UInt8](repeating: 0xff, count: 255)),
        ("an exponent of five bytes", modulus, [1, 0, 0, 0, 1]),
        ("an even modulus", modulus.dropLast() + [0xc4], [1, 0, 1]),
        ("1024 bits", [UInt8](repeating: 0xc5, count: 128), [1, 0, 1]),
        ("2047 bits", [0x45] + modulus.dropFirst(), [1, 0, 1]),
        ("65536 bits", [UInt8](repeating: 0xc5, count: 8192), [1, 0, 1]),
    ]

    private static let p256Keys: [(String, [UInt8], [UInt8])] = [
        ("empty coordinates", [], []),
        ("coordinates of 31 bytes", Array(baseX.dropLast()), baseY),
        ("coordinates of 33 bytes", [0] + baseX, [0] + baseY),
        ("a point off the curve", baseX, baseY.dropLast() + [0xf4]),
        ("the origin", [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32)),
        ("coordinates beyond the field", ones, ones),
    ]

    private static let ed25519Keys: [(String, Int)] = [
        ("no bytes", 0), ("31 bytes", 31), ("33 bytes", 33), ("57 bytes, as Ed448 has", 57), ("no point", 32),
    ]

    static let keys: [HostileKey] = {
        var keys: [HostileKey] = []
        for (name, modulus, exponent) in rsaKeys {
            for algorithm in [SignatureAlgorithm.rs256, .ps256] {
                keys.append(
                    HostileKey(
                        description: "\(algorithm.rawValue): \(name)", algorithm: algorithm,
                        key: .rsa(modulus: modulus, exponent: exponent)))
            }
        }
        for (name, x, y) in p256Keys {
            keys.append(HostileKey(description: "ES256: \(name)", algorithm: .es256, key: .p256(x: x, y: y)))
        }
        for (name, count) in ed25519Keys {
            let bytes = [UInt8](repeating: 0xff, count: count)
            keys.append(HostileKey(description: "EdDSA: \(name)", algorithm: .edDSA, key: .ed25519(bytes)))
        }
        return keys
    }()

    @Test("no signature is valid under a key that is none", arguments: keys)
    func refused(_ hostile: HostileKey) {
        let cryptography = OpenSSLCryptography()
        let sizes = [0, 1, 63, 64, 65, 128, 256, 257, 8192]
        for size in sizes {
            for filling: UInt8 in [0, 1, 0xff] {
                let signature = [UInt8](repeating: filling, count: size)
                #expect(!cryptography.isValid(signature: signature, over: [1], algorithm: hostile.algorithm, key: hostile.key))
            }
        }
    }

    @Test("after refused keys and signatures the next good one still counts")
    func queueIsClean() throws {
        let good = try SigningKey.generateES256()
        let signature = try good.sign([1])
        for hostile in Self.keys {
            _ = OpenSSLCryptography().isValid(signature: signature, over: [1], algorithm: hostile.algorithm, key: hostile.key)
            #expect(OpenSSLCryptography().isValid(signature: signature, over: [1], algorithm: .es256, key: good.publicKey))
        }
    }
}
