import PosternCore
import Testing

@Suite("The parameters of an authorization response")
struct CallbackParametersTests {
    @Test("percent escapes and plus signs are decoded in names and values")
    func decoding() throws {
        let parameters = try CallbackParameters(parsing: "st%61te=a%2Bb+c&code=%E3%81%82&iss=https%3A%2F%2Fexample.com".utf8)
        #expect(parameters.state?.reveal() == "a+b c")
        #expect(parameters.code?.reveal() == "あ")
        #expect(parameters.iss == "https://example.com")
    }

    @Test("every accessor reads its parameter")
    func accessors() throws {
        let parameters = try CallbackParameters(
            parsing: "error=access_denied&error_description=No+way&oauth_token=t&oauth_verifier=v&denied=d&scope=x".utf8)
        #expect(parameters.error == "access_denied")
        #expect(parameters.errorDescription == "No way")
        #expect(parameters.oauthToken?.reveal() == "t")
        #expect(parameters.oauthVerifier?.reveal() == "v")
        #expect(parameters.denied?.reveal() == "d")
        #expect(parameters["scope"]?.reveal() == "x")
        #expect(parameters.state == nil)
    }

    @Test("an empty value counts as absent, and empty pairs are nothing", arguments: ["", "&", "&&", "state=", "state", "state=&code"])
    func absent(query: String) throws {
        let parameters = try CallbackParameters(parsing: query.utf8)
        #expect(parameters.isEmpty)
        #expect(parameters.state == nil)
    }

    @Test(
        "what cannot be read in one way is refused",
        arguments: [
            ("state=%", CallbackParseError.invalidPercentEncoding), ("state=%4", .invalidPercentEncoding),
            ("state=%zz", .invalidPercentEncoding), ("%g0=1", .invalidPercentEncoding), ("state=%+1", .invalidPercentEncoding),
            ("state=%FF", .invalidUTF8), ("state=%C0%80", .invalidUTF8), ("state=%ED%A0%80", .invalidUTF8), ("%C3=1", .invalidUTF8),
            ("state=a%00b", .controlCharacter), ("state=a%0D%0Ab", .controlCharacter), ("st%00ate=1", .controlCharacter),
            ("state=%7F", .controlCharacter), ("state=%C2%85", .controlCharacter), ("error=a%0Ab", .controlCharacter),
            ("error_uri=a%0Ab", .controlCharacter), ("error_description%0A=a", .controlCharacter), ("error_description=%FF", .invalidUTF8),
            ("state=a&state=b", .repeatedParameter), ("state=a&state=a", .repeatedParameter), ("state=a&st%61te=b", .repeatedParameter),
            ("state=&state=a", .repeatedParameter), ("x=1&y=2&x=3", .repeatedParameter), ("code=1&code", .repeatedParameter),
        ])
    func refused(query: String, expected: CallbackParseError) {
        #expect(throws: expected) { try CallbackParameters(parsing: query.utf8) }
    }

    @Test("a provider may break its sentence into lines, and the refusal is read anyway")
    func sentenceOfLines() throws {
        let query = "error=access_denied&error_description=AADSTS65004%3A+declined.%0D%0ATrace+ID%3A%09x%00&state=s"
        let parameters = try CallbackParameters(parsing: query.utf8)
        #expect(parameters.error == "access_denied")
        #expect(parameters.errorDescription == "AADSTS65004: declined.\r\nTrace ID:\tx\0")
    }

    @Test("64 parameters are read and a 65th is refused")
    func count() throws {
        let query = (1...64).map { "p\($0)=v" }.joined(separator: "&")
        #expect(try CallbackParameters(parsing: query.utf8)["p64"]?.reveal() == "v")
        #expect(throws: CallbackParseError.tooManyParameters(limit: 64)) { try CallbackParameters(parsing: (query + "&p65=v").utf8) }
    }

    @Test("no value is printed, in whatever way")
    func redaction() throws {
        let parameters = try CallbackParameters(parsing: "state=SESAME&code=OPEN".utf8)
        var dumped = ""
        dump(LoopbackCallback(path: "/", parameters: parameters, method: .get), to: &dumped)
        for text in ["\(parameters)", String(reflecting: parameters), dumped] {
            #expect(!text.contains("SESAME") && !text.contains("OPEN"))
        }
    }

    @Test("bytes of every value are read or refused, and never more")
    func everyByte() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                _ = try? CallbackParameters(parsing: [first, second, UInt8(ascii: "="), second, first, UInt8(ascii: "%"), first, second])
            }
        }
    }
}
