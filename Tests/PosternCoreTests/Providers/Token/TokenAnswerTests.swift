import Testing

@testable import PosternCore

/// `Hostile/TokenAnswers`: the outcome, then the status, the headers, an empty line, the body. A status followed by `github`, `oauth2` or
/// `refresh` is answered to that kind of request in place of an OpenID provider's exchange. One line feed at the body's end is the file's.
@Suite struct TokenAnswerTests {
    private struct Case {
        var response: ProviderResponse
        var provider: Provider
        var purpose: TokenResponse.Purpose

        init(_ bytes: [UInt8]) throws {
            var rest = bytes[...]
            func line() -> String {
                let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
                defer { rest = rest[end...].dropFirst() }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let words = line().split(separator: " ")
            response = ProviderResponse(status: try #require(words.first.flatMap { Int($0) }))
            provider = words.contains("github") ? .gitHub() : words.contains("oauth2") ? .oauth2() : .openID()
            purpose = words.contains("refresh") ? .refresh(tokenType: "Bearer") : .exchange
            while case let header = line(), !header.isEmpty {
                let colon = try #require(header.firstIndex(of: ":"))
                response.headers.append((String(header[..<colon]), String(header[header.index(colon, offsetBy: 2)...])))
            }
            if rest.last == UInt8(ascii: "\n") { rest.removeLast() }
            response.body = Array(rest)
        }

        func outcome() throws -> String {
            do throws(TokenEndpointError) {
                let resolved: ResolvedProvider
                do { resolved = try ResolvedProvider(provider) } catch { return "unresolved \(error)" }
                return Self.describe(
                    try TokenResponse.grant(from: response, to: purpose, at: resolved, scopes: ["asked"], sentAt: now, now: now))
            } catch {
                let kind =
                    switch error {
                    case .refused: "refused"
                    case .transient: "transient"
                    case .malformed: "malformed"
                    }
                return "\(kind): \(error)"
            }
        }

        static func describe(_ grant: Grant) -> String {
            var words = ["grant: \(grant.tokenType)", "scopes=\(grant.scopes.joined(separator: ","))"]
            if let end = grant.expiresAt { words.append("expires=\(end == Timestamp(seconds: .max) ? "never" : "\(end.seconds(since: now))")") }
            if grant.refreshToken != nil { words.append("refresh") }
            if let end = grant.refreshTokenExpiresAt { words.append("refreshExpires=\(end.seconds(since: now))") }
            if grant.idToken != nil { words.append("id_token") }
            return words.joined(separator: " ")
        }
    }

    @Test("Answers of token endpoints have the outcome that their file names", arguments: TextCases.names(in: "TokenAnswers"))
    func file(name: String) throws {
        let (outcome, body) = try TextCases.read(name, in: "TokenAnswers")
        #expect(try Case(body).outcome() == outcome)
    }

    @Test("The files are found")
    func count() {
        #expect(TextCases.names(in: "TokenAnswers").count > 60)
    }

    private func outcome(status: Int = 200, _ body: [UInt8]) throws -> String {
        var answer = try Case(Array("\(status)\n\n".utf8))
        answer.response.body = body
        return try answer.outcome()
    }

    @Test("An answer of any size is read up to a limit")
    func size() throws {
        let outcome = try outcome(Array(#"{"a":""#.utf8) + Array(repeating: UInt8(ascii: "x"), count: 300_000) + Array("\"}".utf8))
        #expect(outcome == "malformed: the answer of the token endpoint is larger than 262144 bytes")
    }

    @Test("Depth is bounded, in objects and in arrays", arguments: ["[", "{\"a\":"])
    func depth(opening: String) throws {
        let outcome = try outcome(Array(String(repeating: opening, count: 40_000).utf8))
        #expect(outcome.contains("it is nested too deeply"))
    }

    @Test("Invalid UTF-8 is no JSON", arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE3, 0x81]] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) throws {
        let outcome = try outcome(Array(#"{"access_token":"a"#.utf8) + bytes + Array(#"","token_type":"bearer"}"#.utf8))
        #expect(outcome.contains("text that is not UTF-8"))
    }

    private static let members = [
        "access_token", "token_type", "expires_in", "refresh_token", "refresh_token_expires_in", "refresh_expires_in", "id_token", "scope", "error",
    ]
    private static let wrongValues = ["true", "false", "{}", "[]", "[1]", "{\"a\":[]}", "17", "1.5", "1e400", "\"\\u0000\"", "\"é\""]

    /// What is a right value for one member is wrong for another; these are right.
    private static let rightPairs: Set<String> = [
        "expires_in 17", "expires_in 1.5", "expires_in 1e400", "refresh_token_expires_in 17", "refresh_token_expires_in 1.5",
        "refresh_token_expires_in 1e400", "refresh_expires_in 17", "refresh_expires_in 1.5", "refresh_expires_in 1e400", "scope []",
        "scope \"é\"", "scope \"\\u0000\"",
    ]

    @Test("Every member is looked at for its type", arguments: members, wrongValues)
    func types(member: String, value: String) throws {
        let defaults = [
            "access_token": "\"at\"", "token_type": "\"bearer\"", "refresh_token": "\"rt\"", "id_token": "\"h.p.s\"",
        ]
        let members = defaults.merging([member: value]) { _, wrong in wrong }
        let body = "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
        let outcome = try outcome(Array(body.utf8))
        if Self.rightPairs.contains("\(member) \(value)") {
            #expect(outcome.hasPrefix("grant: "), "\(member) \(value)")
        } else {
            #expect(outcome.hasPrefix("malformed: ") || outcome.hasPrefix("refused: "), "\(member) \(value): \(outcome)")
        }
    }

    @Test("No error text holds a token")
    func noSecrets() throws {
        for type in ["\"mac\"", "17", "null"] {
            let body = #"{"access_token":"gho_verysecret","refresh_token":"ghr_verysecret","id_token":"eyJ_verysecret","token_type":\#(type)}"#
            #expect(try !outcome(Array(body.utf8)).contains("verysecret"))
        }
    }
}
