import Glibc
import Testing

@testable import TestDaemon
@testable import postern

@Suite("A command with tokens")
struct ExecTests {
    @Test(
        "a variable has a name that every shell can read",
        arguments: [("A=b", "A", "b"), ("_a1=b=c", "_a1", "b=c"), ("GH_TOKEN=github.com", "GH_TOKEN", "github.com")])
    func variable(text: String, name: String, account: String) throws {
        let variable = try #require(TokenVariable(text))
        #expect(variable.name == name)
        #expect(variable.account == account)
    }

    @Test("other names are refused", arguments: ["", "A", "=b", "A=", "1A=b", "A-B=b", "A B=b", "../A=b", "A.new=b", "Ä=b", "A\n=b", "[=b", "@=b", "`=b"])
    func noVariable(text: String) {
        #expect(TokenVariable(text) == nil)
    }

    @Test(
        "what is wrong with a variable is said, with an example that is right",
        arguments: [
            ("demo", "write NAME=ACCOUNT"), ("", "write NAME=ACCOUNT"), ("1A=b", "the name of a variable"), ("=b", "the name of a variable"),
            ("MINE=", "MINE=github.com"),
        ])
    func problem(text: String, words: String) throws {
        let problem = try #require(TokenVariable.problem(text))
        #expect(problem.contains(words), "\(problem)")
        let example = try #require(problem.split(separator: " ").last)
        #expect(TokenVariable(String(example)) != nil, "\(example)")
        let shown = try #require(CommandLineTests.refusal(["exec", "--env", text, "--", "true"]))
        #expect(shown.contains(words), "\(shown)")
    }

    @Test(
        "an account behind the proxy gives the variables their name, unless another is given",
        arguments: [
            ("acme", "acme", "ACME"), ("github.com", "github.com", "GITHUB_COM"), ("github.com=GH", "github.com", "GH"), ("my-work_2", "my-work_2", "MY_WORK_2"), ("7bit", "7bit", "_7BIT"),
            ("https://api.github.com", "https://api.github.com", "API_GITHUB_COM"), ("https://api.github.com/a=b=GH", "https://api.github.com/a=b", "GH"),
            ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1", "_127_0_0_1"),
        ])
    func proxied(text: String, account: String, name: String) throws {
        let proxied = try #require(ProxiedAccount(text))
        #expect(proxied.account == account && proxied.name == name)
        #expect(VariableName.isOne(name))
    }

    @Test("what names no account is refused", arguments: ["", "=GH", "a=", "a=1", "a=b-c", "http://example.com", "https://a@b", "https://"])
    func notProxied(text: String) throws {
        #expect(ProxiedAccount(text) == nil)
        let shown = try #require(CommandLineTests.refusal(["exec", "--proxy", text, "--", "true"]))
        #expect(shown.contains("write ACCOUNT or ACCOUNT=NAME") || text.isEmpty, "\(shown)")
    }

    @Test(
        "a line with --proxy says what it is for, and what does not go with it",
        arguments: [
            (["--proxy", "a", "--env", "T=a"], "gets none"), (["--proxy", "a", "--file", "T=a"], "gets none"), (["--proxy", "a", "--min-validity", "1m"], "--min-validity"),
            (["--set", "A=b"], "--set goes with --proxy"), (["--methods", "GET"], "--methods goes with --proxy"), (["--no-port"], "--no-port goes with --proxy"),
            (["--proxy", "a", "--proxy", "A"], "A_BASE_URL is given twice"), (["--proxy", "a", "--set", "A_TOKEN=x"], "A_TOKEN is given twice"),
            (["--proxy", "a", "--set", "X=1", "--set", "X=2"], "X is given twice"), (["--proxy", "a", "--proxy", "b", "--set", "X={url}/v1"], "{A.url}"),
            (["--proxy", "a", "--methods", ""], "commas"), (["--proxy", "a", "--methods", "G T"], "commas"), (["--proxy", "a", "--methods", "GET,CONNECT"], "CONNECT is never"),
            (["--proxy", "a", "--set", "1=2"], "VARIABLE=TEXT"), ([], "--proxy ACCOUNT"),
        ])
    func proxyLine(words: [String], sentence: String) throws {
        let shown = try #require(CommandLineTests.refusal(["exec"] + words + ["--", "true"]))
        #expect(shown.contains(sentence), "\(shown)")
    }

    @Test("the variables say where the proxy is, and a text has its address in it")
    func proxyVariables() throws {
        let one = ProxiedEnvironment.Address(name: "ACME", url: "http://127.0.0.1:1/s", socket: "/r/ACME.sock")
        let other = ProxiedEnvironment.Address(name: "GH", url: "http://127.0.0.1:1/t", socket: "/r/GH.sock")
        func values(_ places: [ProxiedEnvironment.Address], _ texts: String...) -> [String] {
            ProxiedEnvironment(places: places, dummy: "dummy").variables(setting: texts.compactMap { SetVariable($0) }).map { "\($0.name)=\($0.value)" }
        }
        #expect(
            values([one], "A={url}/v1", "B=x{dummy}y{socket}{", "C={\"a\":{url}}{nothing}", "D=")
                == [
                    "ACME_BASE_URL=http://127.0.0.1:1/s", "ACME_SOCKET=/r/ACME.sock", "ACME_TOKEN=dummy", "A=http://127.0.0.1:1/s/v1", "B=xdummyy/r/ACME.sock{",
                    "C={\"a\":http://127.0.0.1:1/s}{nothing}", "D=",
                ])
        #expect(values([one, other], "A={GH.url} {ACME.socket} {url}").last == "A=http://127.0.0.1:1/t /r/ACME.sock {url}")
    }

    @Test(
        "a command that has an HTTP proxy does not ask it for this machine's port",
        arguments: [
            ([:], []), (["https_proxy": "p"], []), (["http_proxy": "p"], ["no_proxy=127.0.0.1,localhost", "NO_PROXY=127.0.0.1,localhost"]),
            (["ALL_PROXY": "p", "no_proxy": "a"], ["no_proxy=a,127.0.0.1,localhost", "NO_PROXY=a,127.0.0.1,localhost"]), (["http_proxy": ""], []),
        ] as [([String: String], [String])])
    func exceptions(environment: [String: String], set: [String]) {
        #expect(ProxiedEnvironment.exceptions { environment[$0] }.map { "\($0.name)=\($0.value)" } == set)
    }

    @Test(
        "a token is replaced five minutes before its end, or at half its time",
        arguments: [
            (nil, 1600), (4600, 4300), (1600, 1300), (1200, 1100), (1010, 1005), (1002, 1005), (1000, 1005), (0, 1005),
        ] as [(Int64?, Int64)])
    func schedule(expiresAt: Int64?, due: Int64) {
        #expect(TokenSchedule.renewal(expiresAt: expiresAt, now: 1000) == due)
    }

    @Test("the next one is good for longer than the one that is there", arguments: [(nil, 60), (1300, 301), (1030, 60), (900, 60)] as [(Int64?, Int)])
    func validity(expiresAt: Int64?, seconds: Int) {
        #expect(TokenSchedule.validity(expiresAt: expiresAt, now: 1000) == seconds)
    }

    @Test("a file is replaced whole, and after the end nothing is written any more")
    func files() throws {
        let directory = try DemoDirectory(environment: [:])
        defer { _ = directory.remove() }
        let files = try TokenFiles(runtimeDirectory: directory.path)
        try files.write("one", to: "A")
        let before = open(files.path("A"), O_RDONLY | O_CLOEXEC)
        defer { close(before) }
        try files.write("two", to: "A")
        #expect(contents(of: files.path("A")) == "two")
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(read(before, &bytes, 8) == 3)
        #expect(String(decoding: bytes[..<3], as: UTF8.self) == "one")
        files.remove()
        files.remove()
        try files.write("three", to: "A")
        #expect(FileStatus(path: files.path("A")) == nil)
        #expect(directory.remove())
    }

    @Test(
        "without the variable the runtime directory is the usual one, if it is this user's",
        arguments: [
            ("/r", nil, "/r"), ("r", FileStatus(kind: .directory, owner: 7, permissions: 0o700), "r"),
            (nil, FileStatus(kind: .directory, owner: 7, permissions: 0o700), "/run/user/7"),
            ("", FileStatus(kind: .directory, owner: 7, permissions: 0o700), "/run/user/7"),
            (nil, nil, nil), (nil, FileStatus(kind: .directory, owner: 8, permissions: 0o700), nil),
            (nil, FileStatus(kind: .other, owner: 7, permissions: 0o777), nil),
        ] as [(String?, FileStatus?, String?)])
    func usual(variable: String?, status: FileStatus?, path: String?) {
        #expect(RuntimeDirectory.path(variable, userID: 7) { $0 == "/run/user/7" ? status : nil } == path)
    }

    @Test("a relative runtime directory is ignored", arguments: [nil, "", "run"])
    func noDirectory(path: String?) {
        #expect(throws: CommandFailure.self) { try TokenFiles(runtimeDirectory: path) }
    }

    private func contents(of path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }
}
