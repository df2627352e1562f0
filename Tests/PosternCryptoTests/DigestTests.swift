import PosternCore
import PosternCrypto
import Testing

@Suite("Digests")
struct DigestTests {
    /// FIPS 180-4's examples: the input and its SHA-256, SHA-384 and SHA-512.
    static let vectors: [(input: String, sha256: String, sha384: String, sha512: String)] = [
        (
            "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b",
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
        ),
        (
            "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            "3391fdddfc8dc7393707a65b1b4709397cf8b1d162af05abfe8f450de5f36bc6b0455a8520bc4e6f5fe95b1fe3c8452b",
            "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c335"
                + "96fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445"
        ),
    ]

    @Test("SHA-2 gives the standard's results", arguments: vectors)
    func sha2(input: String, sha256: String, sha384: String, sha512: String) {
        let cryptography = OpenSSLCryptography()
        #expect(cryptography.sha256(Array(input.utf8)) == hex(sha256))
        #expect(cryptography.sha384(Array(input.utf8)) == hex(sha384))
        #expect(cryptography.sha512(Array(input.utf8)) == hex(sha512))
    }

    /// RFC 4231 sections 4.2 to 4.8, without the truncated one.
    static let hmacSHA256: [(key: [UInt8], message: [UInt8], result: String)] = [
        (
            [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            Array(1...25), [UInt8](repeating: 0xcd, count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        // Not in the RFC; widely published for the empty key and message.
        ([], [], "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ]

    @Test("HMAC with SHA-256 gives RFC 4231's results", arguments: hmacSHA256)
    func hmac256(key: [UInt8], message: [UInt8], result: String) {
        #expect(OpenSSLCryptography().hmacSHA256(key: key, message: message) == hex(result))
    }

    /// RFC 2202 section 3.
    static let hmacSHA1: [(key: [UInt8], message: [UInt8], result: String)] = [
        ([UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8), "b617318655057264e28bc0b6fb378c8ef146be00"),
        (Array("Jefe".utf8), Array("what do ya want for nothing?".utf8), "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
        (
            [UInt8](repeating: 0xaa, count: 80), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "aa4ae5e15272d00e95705637ce8a3b55ed402112"
        ),
        ([], [], "fbdb1d1b18aa6c08324b7d64b71fb76370690e1d"),
    ]

    @Test("HMAC with SHA-1 gives RFC 2202's results", arguments: hmacSHA1)
    func hmac1(key: [UInt8], message: [UInt8], result: String) {
        #expect(OpenSSLCryptography().hmacSHA1(key: key, message: message) == hex(result))
    }

    @Test("random bytes come in the number asked for and never twice", arguments: [0, 1, 16, 32, 65_536])
    func random(_ count: Int) throws {
        let bytes = try RandomBytes.generate(count)
        #expect(bytes.count == count)
        if count >= 16 { #expect(try bytes != RandomBytes.generate(count)) }
    }

    @Test("an impossible number of random bytes is refused", arguments: [-1, Int.min, Int.max, 1 << 31])
    func impossibleRandom(_ count: Int) {
        #expect(throws: CryptoError.self) { try RandomBytes.generate(count) }
    }
}
