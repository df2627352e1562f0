import PosternCrypto
import StrictJSON
import Testing

@testable import PosternCore

@Suite struct KeySetTests {
    @Test("Keys of kinds that are not known do not spoil the set")
    func unknownKeys() throws {
        let keys = try TestKeys.keySet(
            ["kty": "oct", "k": "AAAA", "kid": "es"], ["kty": "EC", "crv": "P-521", "x": "AA", "y": "AA"], ["kty": "OKP", "crv": "X25519", "x": "AA"],
            ["kty": "AKP", "alg": "ML-DSA-44"], 17, "key", nil, [], [:], ["kty": 1], try TestKeys.jwk("es", kid: "es"))
        #expect(keys.keys.map(\.keyID) == ["es"])
    }

    @Test(
        "A key that is not for signatures, or not sound, is left out",
        arguments: [
            ["use": "enc"], ["use": 1], ["key_ops": ["encrypt"]], ["key_ops": ["sign"]], ["key_ops": []], ["key_ops": "verify"],
            ["d": "AAAA"], ["kid": 7], ["alg": ["ES256"]], ["x": "AAAA"], ["y": "="], ["x": 1], ["crv": "P-384"], ["kty": "RSA"],
        ] as [JSONObject])
    func unfit(members: JSONObject) throws {
        #expect(try TestKeys.keySet(TestKeys.jwk("es", kid: "es", further: members)).keys.isEmpty)
    }

    @Test("What narrows nothing away is no obstacle", arguments: [["use": "sig"], ["key_ops": ["sign", "verify"]], ["use": nil], ["x5c": ["A"]]] as [JSONObject])
    func fit(members: JSONObject) throws {
        #expect(try TestKeys.keySet(TestKeys.jwk("es", further: members)).keys.count == 1)
    }

    @Test("RSA keys below 2048 bits, above 8192, or with an exponent that proves nothing are left out")
    func rsaSizes() throws {
        func rsa(_ bytes: Int, exponent: [UInt8] = [1, 0, 1], leadingZeros: Int = 0) -> JSON {
            let modulus = Array(repeating: UInt8(0), count: leadingZeros) + Array(repeating: UInt8(0xFF), count: bytes)
            return ["kty": "RSA", "n": .string(Base64URL.encode(modulus)), "e": .string(Base64URL.encode(exponent))]
        }
        func count(_ key: JSON) throws -> Int { try TestKeys.keySet(key).keys.count }
        #expect(try count(rsa(256)) == 1)
        #expect(try count(rsa(256, leadingZeros: 1)) == 1)
        #expect(try count(rsa(1024)) == 1)
        #expect(try count(rsa(255)) == 0)
        #expect(try count(rsa(255, leadingZeros: 1)) == 0)
        #expect(try count(rsa(1025)) == 0)
        for exponent in [[], [0], [1], [0, 1], [2], [1, 0, 0], Array(repeating: 1, count: 9)] as [[UInt8]] {
            #expect(try count(rsa(256, exponent: exponent)) == 0)
        }
        #expect(try count(rsa(256, exponent: [3])) == 1)
    }

    @Test("The modulus of a key that is written with a zero in front verifies anyway")
    func leadingZero() throws {
        guard case .rsa(let modulus, let exponent) = try TestKeys.key("rs").publicKey else { return }
        let key: JSON = [
            "kty": "RSA", "kid": "rs", "n": .string(Base64URL.encode([0] + modulus)), "e": .string(Base64URL.encode(exponent)),
        ]
        #expect(try judge(TokenForge(key: "rs").token(), keys: TestKeys.keySet(key)) == "verified")
    }

    @Test("Size and count are bounded")
    func limits() throws {
        #expect(throws: KeySetError.tooLarge(limit: 65_536)) { try KeySet(parsing: Array(repeating: 0x20, count: 65_537)) }
        let small: JSON = ["kty": "oct"]
        #expect(throws: KeySetError.tooManyKeys(limit: 100)) { try KeySet(parsing: TestKeys.document(Array(repeating: small, count: 101))) }
        #expect(try KeySet(parsing: TestKeys.document(Array(repeating: small, count: 100))).keys.isEmpty)
    }

    @Test("An invalid key set is an error", arguments: ["", "[]", "{}", #"{"keys":{}}"#, #"{"keys":null}"#, "<html>", #"{"keys":[],"keys":[]}"#])
    func malformed(text: String) {
        #expect(throws: KeySetError.self) { try KeySet(parsing: Array(text.utf8)) }
    }

    @Test("A temporary failure is distinguished from a refusal")
    func answers() {
        #expect(throws: KeySetError.transient(TransientFailure(status: 503))) { try KeySet(from: ProviderResponse(status: 503), now: now) }
        #expect(throws: KeySetError.refused(status: 404)) { try KeySet(from: ProviderResponse(status: 404), now: now) }
        #expect(throws: KeySetError.refused(status: 302)) { try KeySet(from: ProviderResponse(status: 302), now: now) }
    }

    @Test("The key ID chooses, and falls back to no other key")
    func selection() throws {
        let keys = try TestKeys.providerKeys()
        #expect(try keys.select(keyID: "es", algorithm: .es256) == .key(TestKeys.key("es").publicKey))
        #expect(keys.select(keyID: "es", algorithm: .rs256) == .unknown)
        #expect(keys.select(keyID: "rs", algorithm: .ps256) == .unknown)
        #expect(keys.select(keyID: "new", algorithm: .es256) == .unknown)
        #expect(keys.select(keyID: "", algorithm: .es256) == .unknown)
    }

    @Test("Without a key ID the only key that fits is taken, never one of several")
    func selectionWithoutKeyID() throws {
        let one = try TestKeys.keySet(TestKeys.jwk("es", kid: "es"), TestKeys.jwk("rs", kid: "rs"))
        #expect(try one.select(keyID: nil, algorithm: .es256) == .key(TestKeys.key("es").publicKey))
        #expect(one.select(keyID: nil, algorithm: .edDSA) == .unknown)
        let two = try TestKeys.keySet(TestKeys.jwk("es", kid: "a"), TestKeys.jwk("es-2", kid: "b"))
        #expect(two.select(keyID: nil, algorithm: .es256) == .ambiguous)
        let same = try TestKeys.keySet(TestKeys.jwk("es", kid: "a"), TestKeys.jwk("es", kid: "b"))
        #expect(try same.select(keyID: nil, algorithm: .es256) == .key(TestKeys.key("es").publicKey))
        let sameName = try TestKeys.keySet(TestKeys.jwk("es", kid: "a"), TestKeys.jwk("es-2", kid: "a"))
        #expect(sameName.select(keyID: "a", algorithm: .es256) == .ambiguous)
    }

    @Test(
        "An ID token is verified by each algorithm and the key of its type, and its hashes are of that algorithm's",
        arguments: ["rs", "rs384", "rs512", "ps", "ps384", "ps512", "es", "es384", "es512", "ed"])
    func algorithms(key: String) throws {
        let keys = try TestKeys.keySet(TestKeys.jwk(key, kid: key))
        #expect(try judge(TokenForge(key: key).token(), keys: keys) == "verified")
        let algorithm = try TestKeys.key(key).algorithm
        let hash = TokenHashCheck.hash(of: Secret("at-1"), algorithm: algorithm, cryptography: OpenSSLCryptography())
        let bits = algorithm == .edDSA ? 512 : Int(algorithm.rawValue.suffix(3))
        #expect(Base64URL.decode(hash)?.count == bits.map { $0 / 16 })
    }

    @Test("A curve's key is no other curve's, and its coordinates have that curve's size", arguments: [("es", "P-384"), ("es384", "P-256"), ("es512", "P-384"), ("es384", "P-521")])
    func curves(key: String, other: String) throws {
        #expect(try TestKeys.keySet(TestKeys.jwk(key, kid: "a", further: ["crv": .string(other)])).keys.isEmpty)
        let keys = try TestKeys.keySet(TestKeys.jwk(key, kid: "a"))
        #expect(keys.keys.count == 1)
        let own = try TestKeys.key(key).algorithm
        for algorithm in SignatureAlgorithm.allCases where algorithm != own {
            #expect(keys.select(keyID: "a", algorithm: algorithm) == .unknown)
        }
    }

    @Test("A key without a bound algorithm serves all that fit its type")
    func unboundAlgorithm() throws {
        let keys = try TestKeys.keySet(TestKeys.jwk("rs", kid: "rs"))
        #expect(try keys.select(keyID: "rs", algorithm: .rs256) == .key(TestKeys.key("rs").publicKey))
        #expect(try keys.select(keyID: "rs", algorithm: .ps256) == .key(TestKeys.key("rs").publicKey))
        #expect(keys.select(keyID: "rs", algorithm: .es256) == .unknown)
    }
}
