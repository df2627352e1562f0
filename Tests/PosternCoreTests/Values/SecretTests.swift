import PosternCore
import StrictJSON
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

    @Test("A secret is written as the string that it was read from", arguments: ["gho_aaaa", "", #"a"b\c"#, "line\nfeed\u{1}", "pässwörd"])
    func json(text: String) throws {
        let secret = try Secret(json: .string(text))
        var bytes: [UInt8] = []
        secret.serialize(into: &bytes)
        #expect(bytes == JSON.string(text).serialized)
        #expect(secret.json == .string(text))
    }

    @Test("Bytes that are no text do not spoil the message they are written to")
    func noText() throws {
        var bytes: [UInt8] = []
        Secret([0x61, 0xFF]).serialize(into: &bytes)
        #expect(try JSON(parsing: bytes) == "a\u{FFFD}")
    }

    @Test("An object that is written once is the same object each time")
    func object() throws {
        let object: JSONObject = ["token": "gho_aaaa", "scopes": ["a", #"b"c"#], "none": .null, "inner": ["x": 1]]
        let secret = SecretObject(object)
        for _ in 0..<2 {
            var bytes = Array("before".utf8)
            JSON.serialize(members: secret, into: &bytes)
            #expect(bytes == Array("before".utf8) + object.serialized)
        }
        #expect(secret.object == object)
        #expect(!"\(secret)".contains("gho_"))
    }

    @Test("A value that is not a string is not a secret")
    func wrongType() {
        #expect(throws: JSONMemberError.self) { try Secret(json: 1) }
    }

    @Test("Equal secrets are one key")
    func hashing() {
        #expect(Set([secret, Secret("gho_aaaa"), Secret("gho_aaab")]).count == 2)
    }
}
