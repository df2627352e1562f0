import PosternCore
import PosternCrypto
import Testing

@Suite("Sealing")
struct SealingKeyTests {
    let key: SealingKey

    init() throws { key = try .generate() }

    @Test("what was sealed opens again, with the same associated data", arguments: [0, 1, 15, 16, 17, 4096, 1 << 20])
    func roundTrip(_ count: Int) throws {
        let plaintext = try RandomBytes.generate(count)
        for associatedData in [[], Array("credentials/7/access_token".utf8)] {
            let sealed = try key.seal(plaintext, associatedData: associatedData)
            #expect(sealed.count == 12 + count + 16)
            #expect(try key.open(sealed, associatedData: associatedData) == plaintext)
        }
    }

    @Test("a change of any byte is noticed: of the nonce, the ciphertext, the tag")
    func everyByte() throws {
        let sealed = try key.seal(Array("a refresh token".utf8), associatedData: [1])
        for index in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[index] ^= 1 << UInt8(bit)
                let error = #expect(throws: CryptoError.self) { try key.open(changed, associatedData: [1]) }
                #expect(error?.code == .cannotOpen)
            }
        }
    }

    @Test("any shorter or longer text does not open")
    func lengths() throws {
        let sealed = try key.seal(Array("text".utf8), associatedData: [])
        for count in 0..<sealed.count {
            let error = #expect(throws: CryptoError.self) { try key.open(Array(sealed.prefix(count)), associatedData: []) }
            #expect(error?.code == .cannotOpen)
        }
        #expect(throws: CryptoError.self) { try key.open(sealed + [0], associatedData: []) }
        #expect(throws: CryptoError.self) { try key.open([0] + sealed, associatedData: []) }
    }

    @Test("a sealed value does not open in another place", arguments: ["", "row 8", "row 7 ", "row"])
    func elsewhere(_ place: String) throws {
        let sealed = try key.seal(Array("text".utf8), associatedData: Array("row 7".utf8))
        let error = #expect(throws: CryptoError.self) { try key.open(sealed, associatedData: Array(place.utf8)) }
        #expect(error?.code == .cannotOpen)
        #expect(try key.open(sealed, associatedData: Array("row 7".utf8)) == Array("text".utf8))
    }

    @Test("another key does not open it")
    func otherKey() throws {
        let sealed = try key.seal(Array("text".utf8), associatedData: [])
        #expect(throws: CryptoError.self) { try SealingKey.generate().open(sealed, associatedData: []) }
        #expect(try SealingKey(bytes: key.bytes).open(sealed, associatedData: []) == Array("text".utf8))
    }

    @Test("no two seals of one text look alike")
    func freshNonces() throws {
        let nonces = try (0..<1000).map { _ in Array(try key.seal([1, 2, 3], associatedData: []).prefix(12)) }
        #expect(Set(nonces).count == 1000)
    }

    @Test("keys of another size are refused, with the size", arguments: [0, 16, 31, 33, 64])
    func sizes(_ count: Int) throws {
        let error = #expect(throws: CryptoError.self) { try SealingKey(bytes: Secret([UInt8](repeating: 7, count: count))) }
        #expect(error?.code == .invalidKey)
        #expect(error?.description.contains("\(count) bytes") == true)
    }

    /// What is on disk must open after an update: made once with Python's `cryptography`, from the sub-keys
    /// HMAC-SHA256(key, "postern sealing 1") and HMAC-SHA256(key, "postern blind index 1").
    @Test("the format stays as it is")
    func knownAnswer() throws {
        let key = try SealingKey(bytes: Secret(Array(0..<32)))
        let sealed = hex("6465666768696a6b6c6d6e6f098b01aff8522e43d97654913a16acf76583e3e88b5411c652c34e4ef706c0")
        #expect(try key.open(sealed, associatedData: Array("row 7".utf8)) == Array("a refresh token".utf8))
        #expect(key.blindIndex(Array("octo@example.com".utf8)) == hex("79aa2810dcd54a12446c90b5f9d8a589677cfa1c816a6a627dd5d3fdbc6492f5"))
    }

    @Test("a blind index is the same for the same value under the same key only")
    func blindIndex() throws {
        #expect(key.blindIndex([1]) == key.blindIndex([1]))
        #expect(key.blindIndex([1]) != key.blindIndex([2]))
        #expect(try key.blindIndex([1]) != SealingKey.generate().blindIndex([1]))
        #expect(key.blindIndex([]).count == 32)
    }

    @Test("neither a key nor an error shows its bytes")
    func printing() throws {
        #expect("\(key.bytes)" == "<redacted>")
        #expect(!"\(key)".contains("["))
    }
}
