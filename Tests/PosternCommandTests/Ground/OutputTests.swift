import PosternClient
import StrictJSON
import Testing

@testable import TestDaemon
@testable import postern

@Suite("What is printed")
struct OutputTests {
    @Test(
        "text from outside cannot steer the terminal",
        arguments: [
            ("Ada", "Ada"), ("\u{1B}[2JAda", "\u{FFFD}[2JAda"), ("a\nb", "a\u{FFFD}b"), ("\u{202E}abc", "\u{FFFD}abc"), ("日本", "日本"),
            ("\u{9B}31m", "\u{FFFD}31m"),
        ])
    func plain(text: String, result: String) {
        #expect(text.plain == result)
    }

    /// All of them: C0 (which JSON escapes itself), DEL and C1, and what Unicode TR 36 lists in section 2.4.
    static let steering = [0x00...0x1F, 0x7F...0x9F, 0x061C...0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069].joined()

    @Test("a document on a terminal has every character that could steer it as a number, and says the same", arguments: steering)
    func document(code: Int) throws {
        let scalar = try #require(Unicode.Scalar(code))
        let text = "a\(scalar)b"
        let json: JSON = .object([text: [.string(text), .object([text: 1])]])
        for document in [json.text, json.indentedText] {
            let shown = document.plainJSON
            #expect(!shown.unicodeScalars.contains { $0 == scalar && $0 != "\n" })
            #expect(try JSON(parsing: shown) == json)
            if code >= 0x7F {
                let number = "\\u" + String(code | 0x10000, radix: 16).dropFirst()
                #expect(shown.split(separator: number, omittingEmptySubsequences: false).count == 4)
            }
        }
    }

    @Test("other characters stay as they are in a document", arguments: ["Ada", "日本", "é", "\u{A0}", "👩\u{200D}💻", "\u{2027}\u{202F}\u{2065}\u{206A}"])
    func document(name: String) {
        let json: JSON = ["name": .string(name)]
        #expect(json.text.plainJSON == json.text)
        #expect(json.indentedText.plainJSON == json.indentedText)
    }

    @Test("columns are as wide as their widest cell, and nothing trails")
    func table() {
        var table = Table()
        table.add("A", "BB", "C")
        table.add("aaa", "b", "")
        #expect(table.lines == ["A    BB  C", "aaa  b"])
    }

    @Test("a wide script takes two columns, a mark on a letter none", arguments: [("Ada", 3), ("日本", 4), ("e\u{301}", 1), ("한글", 4), ("é", 1), ("", 0)])
    func columns(text: String, columns: Int) {
        #expect(text.columns == columns)
        var table = Table()
        table.add(text, "x")
        table.add("123456", "x")
        #expect(table.lines[0] == text + String(repeating: " ", count: 8 - columns) + "x")
    }

    @Test("a text is cut at whole characters, and shows that it is", arguments: [("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…")])
    func cut(text: String, columns: Int, result: String) {
        #expect(text.cut(to: columns) == result)
    }

    @Test("a narrow terminal cuts the last column, and a table that leaves no room for it is none")
    func narrow() {
        var table = Table()
        table.add("NAME", "SCOPES")
        table.add("work", "openid email profile")
        #expect(table.lines(within: 26) == table.lines)
        #expect(table.lines(within: 20) == ["NAME  SCOPES", "work  openid email …"])
        #expect(table.lines(within: 17) == nil)
        #expect(Table().lines(within: 1) == [])
    }

    private func stored(_ provider: String, _ uid: String, account: String? = nil, email: String? = nil) -> Interface.StoredCredential {
        Interface.StoredCredential(
            providerID: provider, uid: uid, displayName: "Ada", email: email, account: account, scopes: ["openid", "email"],
            expiresAt: "2026-11-22T06:24:00Z", refreshable: true, state: .good)
    }

    @Test("credentials have the name and the address by which they are chosen, where there are any")
    func credentials() {
        #expect(
            CredentialText.lines(for: [stored("work", "1", account: "acme", email: "a@example.com"), stored("x.com", "2")], width: nil) == [
                "PROVIDER  NAME  ACCOUNT  ADDRESS        WHO  STATE  TOKEN UNTIL           REFRESH  SCOPES",
                "work      acme  1        a@example.com  Ada  good   2026-11-22T06:24:00Z  yes      openid email",
                "x.com     -     2        -              Ada  good   2026-11-22T06:24:00Z  yes      openid email",
            ])
        #expect(
            CredentialText.lines(for: [stored("x.com", "2")], width: 80) == [
                "PROVIDER  ACCOUNT  WHO  STATE  TOKEN UNTIL           REFRESH  SCOPES",
                "x.com     2        Ada  good   2026-11-22T06:24:00Z  yes      openid email",
            ])
    }

    @Test("a terminal that is too narrow for a row has a paragraph for each credential")
    func paragraphs() {
        let lines = CredentialText.lines(for: [stored("work", "1", account: "acme", email: "a@\u{1B}example.com"), stored("x\u{1B}", "2")], width: 60)
        #expect(
            lines == [
                "work", "  name         acme", "  account      1", "  address      a@\u{FFFD}example.com", "  who          Ada", "  state        good",
                "  token until  2026-11-22T06:24:00Z", "  refresh      yes", "  scopes       openid email", "x\u{FFFD}", "  account      2",
                "  who          Ada", "  state        good", "  token until  2026-11-22T06:24:00Z", "  refresh      yes",
                "  scopes       openid email",
            ])
    }

    @Test(
        "an expired token that can be renewed needs no attention",
        arguments: [
            (true, Interface.CredentialState.good, 1, "renewed on use"), (true, .good, -60, "in 1 min"), (false, .signInNeeded, 60, "1 min ago"),
            (true, .signInNeeded, 60, "1 min ago"),
        ] as [(Bool, Interface.CredentialState, Int64, String)])
    func tokenUntil(isRefreshable: Bool, state: Interface.CredentialState, ago: Int64, shown: String) throws {
        var credential = stored("work", "1")
        (credential.refreshable, credential.state) = (isRefreshable, state)
        let end = try #require(EpochTime("2026-11-22T06:24:00Z"))
        let times = TimeText(clock: TimeText.Clock(now: EpochTime(seconds: end.seconds + ago), offset: { _ in 0 }))
        #expect(CredentialText.lines(for: [credential], width: nil, times: times).last?.contains(shown) == true)
    }

    @Test("what nothing renews is in its own state, with what would help, and is no need of the person's before it is near its end")
    func unrenewable() {
        var credential = stored("work", "1", email: "ada@example.com")
        let now = EpochTime("2026-11-22T04:00:00Z") ?? EpochTime(seconds: 0)
        let times = TimeText(clock: TimeText.Clock(now: now, offset: { _ in 3600 }))
        func shown() -> [String?] {
            [
                CredentialText.state(of: credential, times), CredentialText.need(of: credential, among: [credential], times: times),
                CredentialText.withoutRenewal(credential, at: "Example Corp", times: times),
            ]
        }
        #expect(shown() == ["good", nil, nil])
        (credential.refreshable, credential.endsAt) = (false, credential.expiresAt)
        #expect(shown() == ["until 07:24, then sign in again", nil, nil])
        (credential.state, credential.renewalAdvice) = (.endsSoon, "ask its administrators")
        #expect(
            shown() == [
                "until 07:24, then sign in again", "work (ada@example.com) works until 07:24, then sign in again: run postern sign-in work",
                "Example Corp gave no refresh token: sign in again after 07:24; ask its administrators",
            ])
        credential.state = .signInNeeded
        #expect(shown()[0] == "sign in" && shown()[2] == nil)
        (credential.state, credential.expiresAt, credential.endsAt, credential.renewalAdvice) = (.good, nil, nil, nil)
        #expect(shown() == ["good", nil, nil])
        #expect(CredentialText.lines(for: [credential], width: nil).last?.contains("  no expiry  ") == true)
    }

    @Test("a document for the user's eyes says the same as one for a program")
    func indented() throws {
        let json: JSON = ["a": [1, ["b": nil]], "c": [], "d": [:], "e": "x\ny"]
        #expect(try JSON(parsing: json.indentedText) == json)
        #expect(json.indentedText.hasPrefix("{\n  \"a\": [\n    1,\n    {\n      \"b\": null\n    }\n  ],\n  \"c\": [],"))
    }

    @Test(
        "colour and movement are for terminals only, and NO_COLOR holds",
        arguments: [
            (true, ["TERM": "xterm"], true, true),
            (true, ["TERM": "xterm", "NO_COLOR": "1"], true, false),
            (true, ["TERM": "xterm", "NO_COLOR": ""], true, true),
            (true, ["TERM": "dumb"], false, false),
            (false, ["TERM": "xterm"], false, false),
        ])
    func terminal(isTerminal: Bool, environment: [String: String], moves: Bool, colours: Bool) {
        let terminal = Terminal(standardErrorIsTerminal: isTerminal, standardOutputIsTerminal: true, variable: { environment[$0] })
        #expect(terminal.isInteractive == moves)
        #expect(terminal.hasColour == colours)
        #expect((terminal.paint("x", .red) != "x") == colours)
    }
}
