import Testing

@testable import PosternCore

/// `Hostile/OAuth1Answers`: the outcome, then the status, the headers, an empty line, the body. A status followed by `access` is answered
/// to the question for an access token, else it was one for a request token. One line feed at the body's end is the file's.
@Suite("Answers of OAuth 1.0a") struct OAuth1AnswerTests {
    private func outcome(of bytes: [UInt8]) throws -> String {
        var rest = bytes[...]
        func line() -> String {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            defer { rest = rest[end...].dropFirst() }
            return String(decoding: rest[..<end], as: UTF8.self)
        }
        let words = line().split(separator: " ")
        var response = ProviderResponse(status: try #require(words.first.flatMap { Int($0) }))
        while case let header = line(), !header.isEmpty {
            let colon = try #require(header.firstIndex(of: ":"))
            response.headers.append((String(header[..<colon]), String(header[header.index(colon, offsetBy: 2)...])))
        }
        if rest.last == UInt8(ascii: "\n") { rest.removeLast() }
        response.body = Array(rest)
        return outcome(of: response, isAccess: words.contains("access"))
    }

    private func outcome(of response: ProviderResponse, isAccess: Bool) -> String {
        do throws(OAuth1Error) {
            if isAccess {
                let grant = try OAuth1Answer.grant(in: response, dialect: Twitter(), sentAt: now, now: now)
                #expect(grant.expiresAt == nil && grant.refreshToken == nil && grant.scopes.isEmpty && grant.obtainedAt == now)
                return "grant \(grant.accessToken.reveal()) \(grant.tokenSecret?.reveal() ?? "") \(grant.tokenType)"
            }
            let token = try OAuth1Answer.requestToken(in: response, dialect: Twitter(), now: now)
            return "token \(token.token.reveal()) \(token.secret.reveal())"
        } catch {
            let kind =
                switch error {
                case .refused: "refused"
                case .transient: "transient"
                case .malformed: "malformed"
                case .callbackNotConfirmed: "callbackNotConfirmed"
                }
            return "\(kind): \(error)"
        }
    }

    @Test("Answers have the outcome that their file names", arguments: TextCases.names(in: "OAuth1Answers"))
    func file(name: String) throws {
        let (outcome, body) = try TextCases.read(name, in: "OAuth1Answers")
        #expect(try self.outcome(of: body) == outcome)
    }

    @Test("The files are found")
    func count() { #expect(TextCases.names(in: "OAuth1Answers").count > 50) }

    @Test("An answer of any size is read up to a limit", arguments: [200, 401])
    func size(status: Int) {
        let response = ProviderResponse(status: status, body: Array(repeating: UInt8(ascii: "a"), count: 65_537))
        #expect(outcome(of: response, isAccess: false).contains("larger than 65536 bytes") || status == 401)
        #expect(OAuth1Answer.refusal(in: response, dialect: Twitter()) == OAuthRefusal(status: status, error: nil))
    }

    @Test("However an answer is damaged, what comes of it is an answer")
    func damage() {
        let whole = Array("oauth_token=1234-cccc&oauth_token_secret=dddd&oauth_callback_confirmed=true".utf8)
        var generator = SeededGenerator(seed: 5849)
        for _ in 0..<4000 {
            let outcome = outcome(of: ProviderResponse(status: 200, body: whole.mutated(by: &generator)), isAccess: false)
            #expect(!outcome.utf8.contains { $0 < 0x20 })
        }
    }

    @Test("A refusal says so where the clocks differ")
    func skew() {
        let error = OAuth1Error.refused(.requestToken, OAuthRefusal(status: 401, error: "32", errorDescription: "Could not authenticate you."))
        let skewed = error.providerFailure(at: "Photos", skew: 3600)
        let message = skewed.message
        #expect(skewed == .exchangeFailed(error: "32", description: "Could not authenticate you.", message: message))
        #expect(message.hasSuffix("this machine's clock is 3600 s behind the provider's, which refuses such requests: correct it"))
        let plain = error.providerFailure(at: "Photos", skew: 5)
        #expect(plain.reason == .exchangeFailed)
        #expect(plain.message == "the request-token-endpoint of Photos refused: 32: Could not authenticate you.")
    }
}
