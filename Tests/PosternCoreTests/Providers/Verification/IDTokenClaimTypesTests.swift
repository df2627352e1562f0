import PosternCore
import StrictJSON
import Testing

/// Every claim that is read, with a value of every type: a generated table.
@Suite struct IDTokenClaimTypesTests {
    private static let texts = [
        "iss", "sub", "azp", "nonce", "at_hash", "c_hash", "name", "given_name", "family_name", "nickname",
        "preferred_username", "picture", "email",
    ]
    private static let numbers = ["exp", "iat", "nbf", "auth_time"]
    private static let required = ["iss", "sub", "aud", "exp", "iat"]
    private static let values: [(JSON, String)] = [
        ("text", "a string"), (17, "a number"), (.decimal("1.5"), "a number"), (true, "a boolean"), ([], "an array"), (["a"], "an array"),
        ([[]], "an array"), ([:], "an object"), (["a": 1], "an object"), (.null, "null"),
    ]

    private func outcome(_ claim: String, _ value: JSON) throws -> String {
        var forge = try TokenForge()
        var claims = TokenForge.rightClaims
        claims[claim] = value
        forge.claims = JSON.object(claims).text
        return try judge(try forge.token())
    }

    @Test("A claim that is a text takes nothing else", arguments: texts)
    func textClaim(claim: String) throws {
        for (value, type) in Self.values where type != "a string" {
            let outcome = try outcome(claim, value)
            if value == .null {
                #expect((outcome == "rejected: in the ID token \(claim) is missing") == Self.required.contains(claim))
            } else {
                #expect(outcome == "rejected: in the ID token \(claim) must be a string, but is \(type)")
            }
        }
    }

    @Test("A moment is a number and nothing else", arguments: numbers)
    func numberClaim(claim: String) throws {
        for (value, type) in Self.values where type != "a number" {
            let outcome = try outcome(claim, value)
            if value == .null {
                #expect(outcome == (Self.required.contains(claim) ? "rejected: in the ID token \(claim) is missing" : "verified"))
            } else {
                #expect(outcome == "rejected: in the ID token \(claim) must be a number, but is \(type)")
            }
        }
        #expect(try outcome(claim, "1800000000") == "rejected: in the ID token \(claim) must be a number, but is a string")
    }

    @Test("An audience is a text or a list of texts")
    func audience() throws {
        for (value, type) in Self.values where type == "a number" || type == "a boolean" || type == "an object" {
            #expect(try outcome("aud", value) == "rejected: in the ID token aud must be a string or an array of strings, but is \(type)")
        }
        for value in [[1], [nil], [[]], [true], ["client", 1], ["client", ["client"]]] as [JSON] {
            #expect(try outcome("aud", value).hasPrefix("rejected: in the ID token aud["))
        }
    }

    @Test("A verified address is a boolean, or one written as a text")
    func emailVerified() throws {
        for value in [true, false, "true", "false", nil] as [JSON] { #expect(try outcome("email_verified", value) == "verified") }
        for value in [1, 0, "True", "", "yes", [], [:], .decimal("1.0")] as [JSON] {
            #expect(try outcome("email_verified", value).hasPrefix("rejected: in the ID token email_verified must be a boolean"))
        }
    }

    @Test("Claims that are not read may be anything")
    func others() throws {
        for (value, _) in Self.values { #expect(try outcome("acr", value) == "verified") }
    }
}
