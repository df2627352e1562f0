import PosternCore
import PosternCrypto
import Testing

@Suite struct CodeVerifierTests {
    @Test(
        "The vectors of RFC 7636 appendix B and of GitLab's documentation",
        arguments: [
            ("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
            ("ks02i3jdikdo2k0dkfodf3m39rjfjsdk0wk349rj3jrhf", "2i0WFA-0AerkjQm4X4oDEhqA17QIAKNjXpagHBXmO_U"),
        ])
    func vectors(verifier: String, challenge: String) throws {
        let verifier = try #require(CodeVerifier(stored: Secret(verifier)))
        #expect(verifier.challenge(using: OpenSSLCryptography()) == challenge)
    }

    @Test("The bytes of RFC 7636 appendix B make its verifier")
    func fromBytes() throws {
        let bytes: [UInt8] = [
            116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191, 240, 91, 88, 5, 88,
            83, 132, 141, 121,
        ]
        let verifier = try #require(CodeVerifier(randomBytes: bytes))
        #expect(verifier.secret.reveal() == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(CodeVerifier(stored: verifier.secret) == verifier)
    }

    @Test("Fewer than 32 random bytes make no verifier", arguments: [0, 1, 31, 97])
    func tooFew(count: Int) {
        #expect(CodeVerifier(randomBytes: Array(repeating: 7, count: count)) == nil)
    }

    @Test(
        "An invalid verifier is refused, wherever it was stored",
        arguments: [
            "", String(repeating: "a", count: 42), String(repeating: "a", count: 129), String(repeating: "a", count: 42) + "=",
            String(repeating: "a", count: 42) + " ", String(repeating: "a", count: 42) + "\u{0}",
        ])
    func invalid(text: String) {
        #expect(CodeVerifier(stored: Secret(text)) == nil)
    }
}
