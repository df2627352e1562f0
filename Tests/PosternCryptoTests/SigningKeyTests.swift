import PosternCore
import PosternCrypto
import TestAuthority
import Testing

@Suite("Signing keys")
struct SigningKeyTests {
    /// - Parameter isOther: one that was not there before; those of RSA are else the same.
    static func generate(_ algorithm: SignatureAlgorithm, isOther: Bool = false) throws -> SigningKey {
        switch algorithm {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512:
            try isOther ? SigningKey(pem: TestKey.rs256().pem(), algorithm: algorithm) : TestKey.rsa(algorithm)
        case .es256: try .generateES256()
        case .es384: try TestKey.es384()
        case .es512: try TestKey.es512()
        case .edDSA: try TestKey.ed25519()
        }
    }

    @Test("what a key signs, its public part proves, and nothing else", arguments: SignatureAlgorithm.allCases)
    func signAndVerify(_ algorithm: SignatureAlgorithm) throws {
        let key = try Self.generate(algorithm)
        let cryptography = OpenSSLCryptography()
        let message = Array("header.payload".utf8)
        let signature = try key.sign(message)
        func isValid(_ signature: [UInt8], _ message: [UInt8], _ other: SigningKey) -> Bool {
            cryptography.isValid(signature: signature, over: message, algorithm: algorithm, key: other.publicKey)
        }
        #expect(key.algorithm == algorithm)
        #expect(isValid(signature, message, key))
        #expect(!isValid(signature, message + [0], key))
        #expect(!isValid(signature, message, try Self.generate(algorithm, isOther: true)))
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1
            #expect(!isValid(changed, message, key), "byte \(index) was changed")
        }
        #expect(!isValid(Array(signature.dropLast()), message, key))
        #expect(!isValid(signature + [0], message, key))
        #expect(!isValid([], message, key))
    }

    @Test("an empty message can be signed", arguments: SignatureAlgorithm.allCases)
    func emptyMessage(_ algorithm: SignatureAlgorithm) throws {
        let key = try Self.generate(algorithm)
        let signature = try key.sign([])
        #expect(OpenSSLCryptography().isValid(signature: signature, over: [], algorithm: algorithm, key: key.publicKey))
    }

    @Test("a signature of one algorithm is none of another, whatever the key")
    func algorithmsAreNotMixed() throws {
        let message = Array("message".utf8)
        let keys = try SignatureAlgorithm.allCases.map { try Self.generate($0) }
        for key in keys {
            let signature = try key.sign(message)
            for algorithm in SignatureAlgorithm.allCases where algorithm != key.algorithm {
                #expect(!OpenSSLCryptography().isValid(signature: signature, over: message, algorithm: algorithm, key: key.publicKey))
            }
        }
    }

    @Test("a key comes back from its PEM text", arguments: SignatureAlgorithm.allCases)
    func pemRoundTrip(_ algorithm: SignatureAlgorithm) throws {
        let key = try Self.generate(algorithm)
        let pem = try key.pem()
        #expect(pem.reveal().hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(pem.reveal().hasSuffix("-----END PRIVATE KEY-----\n"))
        let again = try SigningKey(pem: pem, algorithm: algorithm)
        #expect(again.publicKey == key.publicKey)
        let signature = try again.sign([1, 2, 3])
        #expect(OpenSSLCryptography().isValid(signature: signature, over: [1, 2, 3], algorithm: algorithm, key: key.publicKey))
    }

    @Test("a key is refused for an algorithm it does not fit")
    func wrongAlgorithm() throws {
        let pem = try SigningKey.generateES256().pem()
        for algorithm in SignatureAlgorithm.allCases where algorithm != .es256 {
            let error = #expect(throws: CryptoError.self) { try SigningKey(pem: pem, algorithm: algorithm) }
            #expect(error?.code == .invalidKey)
        }
    }

    @Test(
        "text that is no private key is refused",
        arguments: [
            "", "garbage", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", String(repeating: "A", count: 100_000),
        ])
    func notPEM(_ text: String) {
        let error = #expect(throws: CryptoError.self) { try SigningKey(pem: Secret(text), algorithm: .es256) }
        #expect(error?.code == .invalidKey)
    }

    @Test("RSA keys of fewer than 2048 bits are not taken", arguments: [1024, 2047])
    func sizes(_ bits: Int) {
        let error = #expect(throws: CryptoError.self) { try TestKey.rs256(bits: bits) }
        #expect(error?.code == .invalidKey)
    }
}
