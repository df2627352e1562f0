import BridgeCore
import Testing

@Suite("When a request is sent again")
struct RetryRuleTests {
    private static let token = (401, ["Bearer error=\"invalid_token\""], nil as String?)
    private static let nonce = (401, ["DPoP error=\"use_dpop_nonce\""], "n" as String?)
    private static let scope = (403, ["Bearer error=\"insufficient_scope\""], nil as String?)
    private static let plain = (401, [] as [String], nil as String?)

    /// Answers one after the other, and what follows from each in a letter: p(ass), a(uthorize), n(ext one only), r(efused).
    @Test(
        "is decided by what the server refuses and how often",
        arguments: [
            ([token], "a"), ([plain], "a"), ([token, token], "ar"), ([nonce, token, token], "aar"), ([nonce, token, scope], "aan"),
            ([nonce, nonce], "ar"), ([scope], "a"), ([scope, scope], "ap"), ([token, scope], "aa"), ([(403, [], nil)], "p"),
            ([(403, ["Bearer"], nil)], "p"), ([(403, ["Bearer error=\"invalid_request\""], nil)], "p"),
            ([(403, ["Basic realm=\"x\""], nil)], "p"), ([(200, [], nil)], "p"), ([(200, ["Bearer"], "n")], "p"), ([(429, [], nil)], "p"),
            ([(503, [], nil)], "p"), ([(307, [], nil)], "p"), ([(400, ["Bearer"], nil)], "p"), ([(500, ["Bearer"], nil)], "p"),
            ([(407, ["Bearer"], nil)], "p"),
        ] as [([(Int, [String], String?)], String)])
    func answers(_ answers: [(Int, [String], String?)], _ expected: String) {
        #expect(Self.letters(answers, canRepeat: true) == expected)
    }

    @Test("is never once the body was used, though the daemon is asked for another token")
    func streamed() {
        #expect(Self.letters([Self.token], canRepeat: false) == "n" && Self.letters([Self.scope], canRepeat: false) == "n")
        #expect(Self.letters([(200, [], nil)], canRepeat: false) == "p")
    }

    private static func letters(_ answers: [(Int, [String], String?)], canRepeat: Bool) -> String {
        var rule = RetryRule()
        return answers.map { status, challenge, nonce in
            rule.sent()
            let headers = challenge.map { (name: "www-authenticate", value: $0) } + (nonce.map { [(name: "dpop-nonce", value: $0)] } ?? [])
            switch rule.answered(BridgeAnswer(status: status, headers: headers), canRepeat: canRepeat) {
            case .pass: return "p"
            case .authorize(let refusal):
                #expect(refusal.challenge == challenge && refusal.nonce == nonce)
                return "a"
            case .authorizeNext: return "n"
            case .refused: return "r"
            }
        }.joined()
    }

    @Test("is once where a kept connection was closed before a byte was sent, and never where the server may have the request")
    func failures() {
        var rule = RetryRule()
        rule.sent()
        #expect(rule.failed(isClosedConnection: true, mayHaveReachedServer: true, canRepeat: true) == .fail(.interrupted))
        #expect(rule.failed(isClosedConnection: false, mayHaveReachedServer: false, canRepeat: true) == .fail(.unreachable))
        #expect(rule.failed(isClosedConnection: true, mayHaveReachedServer: false, canRepeat: false) == .fail(.unreachable))
        #expect(rule.failed(isClosedConnection: true, mayHaveReachedServer: false, canRepeat: true) == .connectAnew)
        #expect(rule.failed(isClosedConnection: true, mayHaveReachedServer: false, canRepeat: true) == .fail(.unreachable))
    }

    @Test("leaves no field in an answer that concerns the connection, and none of the program's beside the daemon's")
    func fields() {
        let answer = BridgeAnswer(
            status: 200,
            headers: [
                ("Connection", "X-Own , close"), ("x-own", "1"), ("Keep-Alive", "timeout=5"), ("Transfer-Encoding", "chunked"), ("X-Other", "2"),
                ("Content-Length", "3"), ("Proxy-Authenticate", "Basic"),
            ])
        #expect(HopByHopFields.drop(from: answer.headers).map(\.name) == ["X-Other", "Content-Length"])
    }
}
