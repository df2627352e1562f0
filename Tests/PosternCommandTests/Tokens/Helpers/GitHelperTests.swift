import PosternClient
import Testing

@testable import TestDaemon
@testable import postern

@Suite("git's credential helper")
struct GitHelperTests {
    static let plain = "protocol=https\nhost=git.example.org:8443\n"

    private func get(_ input: String, _ source: TestSource = TestSource(), _ arguments: String...) -> HelperOutput {
        GitHelper.answer(HelperCall(arguments: arguments + ["get"], bytes: Array(input.utf8)), source)
    }

    @Test("git before 2.46 gets a user name and a password, and when it ends")
    func password() {
        let source = TestSource()
        #expect(get(Self.plain, source) == HelperOutput("username=oauth2\npassword=at-1\npassword_expiry_utc=1767225600\n"))
        let advice =
            "git sends the path, which tells accounts apart, after: git config --global "
            + "credential.https://git.example.org:8443.useHttpPath true"
        #expect(source.questions == [HelperRequest(subject: .url("https://git.example.org:8443"), pathAdvice: advice)])
        _ = get(Self.plain + "path=org/one.git\n", source)
        #expect(source.questions.last == HelperRequest(subject: .url("https://git.example.org:8443/org/one.git")))
    }

    @Test("an unknown expiry is left out")
    func endless() {
        var token = HelperToken.sample
        token.expiry = nil
        #expect(get(Self.plain, TestSource(.token(token))).text == "username=oauth2\npassword=at-1\n")
    }

    @Test(
        "a bearer token goes to a git that announced it and a server that wants it",
        arguments: [
            ("capability[]=authtype\ncapability[]=state\n", "wwwauth[]=Basic realm=\"x\"\nwwwauth[]=Bearer realm=\"y\"\n", true),
            ("capability[]=authtype\n", "wwwauth[]=BEARER\n", true),
            ("capability[]=authtype\n", "wwwauth[]=Basic realm=\"x\", Bearer\n", true),
            ("capability[]=authtype\n", "wwwauth[]=Basic realm=\"x\"\n", false),
            ("capability[]=authtype\n", "", false),
            ("capability[]=state\n", "wwwauth[]=Bearer\n", false),
            ("", "wwwauth[]=Bearer\n", false),
        ])
    func bearer(capability: String, challenge: String, isBearer: Bool) {
        let output = get(capability + Self.plain + challenge)
        let bearer = "capability[]=authtype\nauthtype=Bearer\ncredential=at-1\nephemeral=1\npassword_expiry_utc=1767225600\n"
        #expect(output.text == (isBearer ? bearer : "username=oauth2\npassword=at-1\npassword_expiry_utc=1767225600\n"))
    }

    @Test(
        "each provider has its own user name for a token as password",
        arguments: [
            ("github.com", "github.com", "x-access-token"), ("github.com", "ghe.example.com", "x-access-token"),
            ("work", "GitHub.com", "x-access-token"), ("bitbucket.org", "bitbucket.org", "x-token-auth"),
            ("work", "bitbucket.org:443", "x-token-auth"), ("gitlab.com", "gitlab.com", "oauth2"), ("work", "github.com.evil.example", "oauth2"),
        ])
    func userName(provider: String, host: String, name: String) {
        var token = HelperToken.sample
        token.providerID = provider
        #expect(get("protocol=https\nhost=\(host)\n", TestSource(.token(token))).text.hasPrefix("username=\(name)\n"))
    }

    @Test(
        "path and user name are part of the request",
        arguments: [
            ("path=org/repo.git\n", "https://git.example.org:8443/org/repo.git", nil),
            ("path=a b/ü?#%.git\n", "https://git.example.org:8443/a%20b/%C3%BC%3F%23%25.git", nil),
            ("path=\n", "https://git.example.org:8443", nil),
            ("username=alice\n", "https://git.example.org:8443", "alice"),
            ("username=ada@example.com\npath=x\n", "https://git.example.org:8443/x", "ada@example.com"),
            ("username=oauth2\n", "https://git.example.org:8443", nil),
            ("username=x-access-token\n", "https://git.example.org:8443", nil),
            ("username=\n", "https://git.example.org:8443", nil),
        ] as [(String, String, String?)])
    func request(more: String, url: String, user: String?) {
        let source = TestSource()
        _ = get(Self.plain + more, source)
        #expect(source.questions.first?.subject == .url(url, user: user))
    }

    @Test("keys that are not known are passed over, and an empty line ends the request")
    func further() {
        let input = "capability[]=state\nfuture=1\nfuture[]=1\nfuture[]=2\n\(Self.plain)state[]=other:1\n\npassword\0"
        #expect(get(input).text.hasPrefix("username=oauth2\n"))
    }

    /// Shown by its name: some are long.
    struct Hostile: CustomTestStringConvertible {
        var testDescription: String
        var input: String

        init(_ what: String, _ input: String) {
            testDescription = what
            self.input = input
        }
    }

    static let hostile: [Hostile] = [
        Hostile("nothing", ""),
        Hostile("no host", "protocol=https\n"),
        Hostile("no protocol", "host=github.com\n"),
        Hostile("an empty host", "protocol=https\nhost=\n"),
        Hostile("an empty protocol", "protocol=\nhost=github.com\n"),
        Hostile("a line without =", "protocol=https\nhost=github.com\nx\n"),
        Hostile("a line without a key", "protocol=https\nhost=github.com\n=x\n"),
        Hostile("a line feed in the host makes another line", "protocol=https\nhost=evil.example\nhost=github.com\n"),
        Hostile("a key twice", "protocol=https\nprotocol=https\nhost=github.com\n"),
        Hostile("a carriage return", "protocol=https\r\nhost=github.com\r\n"),
        Hostile("a carriage return alone", "protocol=https\nhost=evil.example\rhost=github.com\n"),
        Hostile("NUL", "protocol=https\nhost=github.com\0.evil.example\n"),
        Hostile("a control byte in a key", "protocol=https\nhost=github.com\nx\u{1}=y\n"),
        Hostile("DEL", "protocol=https\nhost=github.com\nusername=a\u{7F}\n"),
        Hostile("a user in the host", "protocol=https\nhost=github.com@evil.example\n"),
        Hostile("a host after a user", "protocol=https\nhost=evil.example@github.com\n"),
        Hostile("a path in the host", "protocol=https\nhost=github.com/evil\n"),
        Hostile("a query in the host", "protocol=https\nhost=evil.example?github.com\n"),
        Hostile("a fragment in the host", "protocol=https\nhost=evil.example#github.com\n"),
        Hostile("a backslash in the host", "protocol=https\nhost=evil.example\\github.com\n"),
        Hostile("an escape in the host", "protocol=https\nhost=github%2Ecom\n"),
        Hostile("a blank in the host", "protocol=https\nhost= github.com\n"),
        Hostile("a host that looks like another", "protocol=https\nhost=g\u{456}thub.com\n"),
        Hostile("a wide full stop", "protocol=https\nhost=github\u{FF0E}com\n"),
        Hostile("a port that is not a number", "protocol=https\nhost=github.com:x\n"),
        Hostile("two ports", "protocol=https\nhost=github.com:443:1\n"),
        Hostile("a port too long", "protocol=https\nhost=github.com:443443\n"),
        Hostile("an open bracket", "protocol=https\nhost=[::1\n"),
        Hostile("a zone in the address", "protocol=https\nhost=[fe80::1%25eth0]\n"),
        Hostile("another protocol", "protocol=ssh\nhost=github.com\n"),
        Hostile("a protocol that is a URL", "protocol=https://github.com/\nhost=evil.example\n"),
        Hostile("a protocol in upper case", "protocol=HTTPS\nhost=github.com\n"),
        Hostile("a path that goes up", "protocol=https\nhost=github.com\npath=org/../evil\n"),
        Hostile("a path that stays", "protocol=https\nhost=github.com\npath=org/./repo\n"),
        Hostile("a path that is ..", "protocol=https\nhost=github.com\npath=..\n"),
        Hostile("a key in other letters", "Protocol=https\nHost=github.com\n"),
        Hostile("a blank before a key", " protocol=https\n host=github.com\n"),
        Hostile("a line of 64 KiB", "protocol=https\nhost=github.com\npath=\(String(repeating: "a", count: 65536))\n"),
        Hostile("a host of 64 KiB", "protocol=https\nhost=\(String(repeating: "a", count: 60000))\n"),
        Hostile("200 KiB", "protocol=https\nhost=github.com\n" + String(repeating: "x[]=1\n", count: 35000)),
    ]

    @Test("a request that git never writes gets no token, and the daemon is not asked", arguments: hostile)
    func refused(hostile: Hostile) {
        let source = TestSource()
        #expect(get(hostile.input, source) == HelperOutput())
        #expect(source.questions.isEmpty)
    }

    @Test("bytes that are no text get no token")
    func noText() {
        let source = TestSource()
        let bytes = Array("protocol=https\nhost=github.com\npath=".utf8) + [0xFF, 0x0A]
        #expect(GitHelper.answer(HelperCall(arguments: ["get"], bytes: bytes), source) == HelperOutput())
        #expect(source.questions.isEmpty)
    }

    @Test("without a token standard output is empty, or tells git to ask nobody else", arguments: fruitless)
    func fruitlessAnswer(answer: HelperAnswer) {
        let output = get(Self.plain, TestSource(answer))
        switch answer {
        case .nothing(let words, _): #expect(output == HelperOutput(words: words))
        case .noDaemon(let words): #expect(output == HelperOutput(words: words, status: 4))
        case .signInNeeded(let words): #expect(output == HelperOutput("quit=1\n", words: words, status: 3))
        case .unavailable(let words): #expect(output == HelperOutput("quit=1\n", words: words, status: 1))
        case .token: Issue.record("a token")
        }
    }

    @Test("a page may be opened where the helper was set up so, and a prompt is not forbidden")
    func interactive() {
        func mayOpen(_ arguments: [String], _ environment: [String: String] = [:]) -> Bool? {
            let source = TestSource()
            _ = GitHelper.answer(HelperCall(arguments: arguments, bytes: Array(Self.plain.utf8), environment: environment), source)
            return source.questions.first?.mayOpenPage
        }
        #expect(mayOpen(["get"]) == false)
        #expect(mayOpen(["--interactive", "get"]) == true)
        #expect(mayOpen(["--interactive", "get"], ["GIT_TERMINAL_PROMPT": "1"]) == true)
        #expect(mayOpen(["--interactive", "get"], ["GIT_TERMINAL_PROMPT": "0"]) == false)
    }

    @Test("an account can be named where the helper is set up", arguments: [["--account", "work"], ["--account=work"]])
    func account(options: [String]) {
        let source = TestSource()
        _ = GitHelper.answer(HelperCall(arguments: options + ["get"], bytes: Array((Self.plain + "username=oauth2\n").utf8)), source)
        #expect(source.questions.first?.subject == .url("https://git.example.org:8443", user: "work"))
    }

    @Test("what the server refused is told, by its password or its credential")
    func erase() {
        for key in ["password", "credential"] {
            let source = TestSource()
            #expect(GitHelper.answer(HelperCall("erase", input: Self.plain + "username=oauth2\n\(key)=at-1\n"), source) == HelperOutput())
            #expect(source.refusals.map(\.url) == ["https://git.example.org:8443"] && source.refusals.first?.token == "at-1")
            #expect(source.questions.isEmpty)
        }
        for hostile in Self.hostile + [Hostile("no password", Self.plain)] {
            let source = TestSource()
            #expect(GitHelper.answer(HelperCall("erase", input: hostile.input), source) == HelperOutput())
            #expect(source.refusals.isEmpty)
        }
    }

    @Test("what is to be stored, and what is not known yet, is passed over", arguments: ["store", "approve", ""])
    func others(operation: String) {
        let source = TestSource()
        #expect(GitHelper.answer(HelperCall(operation, input: Self.plain + "password=at-1\n"), source) == HelperOutput())
        #expect(source.questions.isEmpty && source.refusals.isEmpty)
    }

    @Test("the helper says what it can do, and what it was set up with that it cannot")
    func words() {
        #expect(GitHelper.answer(HelperCall("capability"), TestSource()) == HelperOutput("version 0\ncapability authtype\n"))
        #expect(GitHelper.answer(HelperCall("--bogus", "get", input: Self.plain), TestSource()).status == 64)
    }
}
