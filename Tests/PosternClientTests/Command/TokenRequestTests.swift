import Testing

@testable import postern

@Suite("The command line of token")
struct TokenRequestTests {
    static let lines = [
        "token github.com",
        "token github.com --refresh",
        "token --refresh github.com --json",
        "token github.com --account 583231 --min-validity 5m",
        "token github.com --scope a --scope b",
        "token --socket /run/s github.com",
        "token github.com --header",
        "token work --resource https://mail.example/ --scope a",
        "token work --id-token --refresh",
        "token work --strict --min-validity 2h",
    ]

    @Test("read by hand it means what the parser makes of it", arguments: lines)
    func same(line: String) throws {
        let arguments = line.split(separator: " ").map(String.init)
        let parsed = try #require(try Postern.parseAsRoot(arguments) as? Token)
        #expect(TokenRequest(plain: arguments) == parsed.request)
    }

    @Test(
        "what is not plain is left to the parser",
        arguments: [
            "", "status", "token", "token a b", "token --help", "token a --scope", "token a --scope -x", "token a --scope=x",
            "token a --bogus",
            "token a --min-validity 5", "token -- a", "help token", "token a --account --refresh", "token --socket --account a b c",
            "token a --header --json",
            "token a --id-token --scope b", "token a --resource urn:b --id-token", "token a --resource", "token a --app x",
            "token a --quiet",
        ])
    func left(line: String) {
        #expect(TokenRequest(plain: line.split(separator: " ").map(String.init)) == nil)
    }

    @Test("an empty value, as of a variable that is not set, is wrong usage", arguments: ["--scope", "--account", "--socket"])
    func empty(option: String) throws {
        let arguments = ["token", "work", option, ""]
        #expect(TokenRequest(plain: arguments) == nil)
        let error = try #require(throws: (any Error).self) { try Postern.parseAsRoot(arguments) }
        #expect(try #require(Program.usage(error)).hasPrefix("postern: \(option) "))
    }

    @Test(
        "a token that is shorter than was asked for is told, but for the moment that the answer took",
        arguments: [(3600, 3599, true), (3600, 3597, false), (60, -5, false), (60, 60, true)])
    func shortness(asked: Int, left: Int64, isLongEnough: Bool) {
        let sentence = TokenRequest.shortness(left: left, asked: asked, of: "work")
        #expect((sentence == nil) == isLongEnough)
        if let sentence { #expect(sentence.hasPrefix("the token is valid for \(max(left, 0)) s, not for \(asked) s")) }
    }

    @Test("a validity and scopes that were not named are not sent")
    func parameters() {
        let plain = TokenRequest(providerID: "github.com")
        #expect(plain.parameters.object.keys == ["providerID"])
        let full = TokenRequest(providerID: "p", account: "1", scopes: ["s"], minimumValidity: DurationText("1m"), refresh: true)
        #expect(full.parameters.minimumValiditySeconds == 60)
        #expect(full.parameters.forceRefresh == true)
    }
}
