import Testing

@testable import TestDaemon
@testable import postern

@Suite("The command line of token")
struct TokenRequestTests {
    @Test(
        "its options become the request, in any order and spelling",
        arguments: [
            ("token work", TokenRequest(providerID: "work")),
            ("token --refresh work --json", TokenRequest(providerID: "work", refresh: true)),
            (
                "token work --account=1 --min-validity 5m --strict",
                TokenRequest(providerID: "work", account: "1", minimumValidity: DurationText("5m"), strict: true)
            ),
            ("token --scope a work --scope=b --header", TokenRequest(providerID: "work", scopes: ["a", "b"], header: true)),
            ("token --socket /run/s -q -- work", TokenRequest(providerID: "work")),
            ("token work --id-token", TokenRequest(providerID: "work", idToken: true)),
            ("token work --resource urn:b", TokenRequest(providerID: "work", resource: "urn:b")),
        ])
    func request(line: String, request: TokenRequest) throws {
        let command = try #require(CommandLineTests.command(line) as? Token)
        #expect(command.request == request)
        #expect(command.common.json == line.contains("--json") && command.common.quiet == line.contains("-q"))
        #expect(command.common.socket == (line.contains("--socket") ? "/run/s" : nil))
    }

    @Test(
        "contradictory options are refused",
        arguments: [
            ("token", "<provider> is missing"), ("token a b", "unexpected argument 'b'"), ("token a --scope", "--scope needs a value"),
            ("token a --scope -x", "--scope needs a value"), ("token a --account --refresh", "--account needs a value"),
            ("token --socket --account a b c", "--socket needs a value"), ("token a --min-validity 5", "--min-validity '5': write 90s"),
            ("token a --header --json", "give one of them"), ("token a --id-token --scope b", "exclude each other"),
            ("token a --resource urn:b --id-token", "exclude each other"), ("token a --app x", "there is no option '--app'"),
            ("token a --acount x", "did you mean '--account'?"), ("token a --refresh=yes", "--refresh takes no value"),
        ])
    func refused(line: String, sentence: String) throws {
        let refusal = try #require(CommandLineTests.refusal(CommandLineTests.words(line)))
        #expect(refusal.hasPrefix("postern: ") && refusal.contains(sentence) && refusal.contains("\nUsage: postern token "), "\(refusal)")
    }

    @Test("an empty value, as of a variable that is not set, is wrong usage", arguments: ["--scope", "--account", "--socket"])
    func empty(option: String) throws {
        #expect(try #require(CommandLineTests.refusal(["token", "work", option, ""])).hasPrefix("postern: \(option) "))
    }

    @Test(
        "a token that is shorter than was asked for is told, but for the moment that the answer took",
        arguments: [(3600, 3599, true), (3600, 3597, false), (60, -5, false), (60, 60, true)])
    func shortness(asked: Int, left: Int64, isLongEnough: Bool) {
        let sentence = TokenRequest.shortness(left: left, asked: asked, of: "work")
        #expect((sentence == nil) == isLongEnough)
        if let sentence { #expect(sentence.hasPrefix("the token is valid for \(max(left, 0)) s, not for \(asked) s")) }
    }

    @Test("a token that is no line is an error, and one that is stays as it is", arguments: ["", "one\ntwo", "one\r", "\u{1B}[2J", "good"])
    func line(text: String) { #expect((try? TokenRequest.line(text, of: "work")) == (text == "good" ? text : nil)) }

    @Test("a validity and scopes that were not named are not sent")
    func parameters() {
        let plain = TokenRequest(providerID: "github.com")
        #expect(plain.parameters.object.keys == ["providerID"])
        let full = TokenRequest(providerID: "p", account: "1", scopes: ["s"], minimumValidity: DurationText("1m"), refresh: true)
        #expect(full.parameters.minimumValiditySeconds == 60)
        #expect(full.parameters.forceRefresh == true)
    }
}
