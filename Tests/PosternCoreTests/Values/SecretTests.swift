import PosternCore
import Testing

@Suite struct SecretTests {
    private let secret = Secret("gho_aaaa")

    @Test("A secret does not show, however it is printed")
    func printing() {
        var dumped = ""
        dump(["token": secret], to: &dumped)
        for text in ["\(secret)", String(describing: secret), String(reflecting: secret), "\([secret])", "\(Optional(secret) as Any)", dumped] {
            #expect(text.contains("<redacted>"))
            #expect(!text.contains("gho_"))
        }
    }

    @Test("A grant that is printed whole shows no token")
    func grant() {
        let grant = Grant(
            accessToken: secret, tokenType: "bearer", refreshToken: Secret("ghr_bbbb"), scopes: ["repo"], obtainedAt: Timestamp(seconds: 0))
        var dumped = ""
        dump(grant, to: &dumped)
        #expect(!dumped.contains("gho_") && !dumped.contains("ghr_"))
        #expect(!"\(grant)".contains("gho_"))
    }

    @Test("Secrets are equal where their bytes are")
    func equality() {
        #expect(secret == Secret("gho_aaaa"))
        #expect(secret != Secret("gho_aaab"))
        #expect(secret != Secret("Gho_aaaa"))
        #expect(secret != Secret("gho_aaa"))
        #expect(Secret("") == Secret([]))
    }

    @Test("The bytes come back as they went in")
    func reveal() {
        #expect(secret.reveal() == "gho_aaaa")
        #expect(secret.revealBytes() == Array("gho_aaaa".utf8))
        #expect(secret.count == 8)
        #expect(Secret("").isEmpty)
        #expect(secret.withBytes { $0.count } == 8)
    }
}
