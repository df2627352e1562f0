import Testing

@testable import TestDaemon
@testable import postern

/// The bytes are those of the programs' own documentation.
@Suite("Cargo's credential provider protocol")
struct CargoProtocolTests {
    static let get = """
        {"v":1,"registry":{"index-url":"sparse+https://registry.example.org/index/","name":"my",\
        "headers":["WWW-Authenticate: Cargo login_url=\\"https://registry.example.org/me\\""]},"kind":"get","operation":"read",\
        "args":["--account","work"]}
        """

    @Test("a request names the index, and the arguments of the configuration")
    func request() {
        #expect(
            CargoHelper.request(Array(Self.get.utf8))
                == .token(index: "https://registry.example.org/index/", account: "work"))
        #expect(CargoHelper.hello == #"{"v":[1]}"#)
    }

    @Test("the registry's name decides nothing, and need not be there")
    func nameless() {
        let line = #"{"v":1,"registry":{"index-url":"https://github.com/rust-lang/crates.io-index"},"kind":"get","operation":"publish"}"#
        #expect(CargoHelper.request(Array(line.utf8)) == .token(index: "https://github.com/rust-lang/crates.io-index", account: nil))
    }

    @Test(
        "a request for anything but a token is refused",
        arguments: [
            (#"{"v":1,"registry":{"index-url":"https://a/"},"kind":"login","token":"t"}"#, CargoHelper.Request.unsupported),
            (#"{"v":1,"registry":{"index-url":"https://a/"},"kind":"logout"}"#, .unsupported),
            (#"{"v":1,"registry":{"index-url":"https://a/"},"kind":"another"}"#, .unsupported),
            (#"{"v":1,"registry":{"index-url":"ssh://git@a/"},"kind":"get"}"#, .notHandled),
            (#"{"v":2,"registry":{"index-url":"https://a/"},"kind":"get"}"#, .malformed("the request's version is not 1")),
            (#"{"v":1,"registry":{},"kind":"get"}"#, .malformed("the request has no index-url")),
            (#"{"v":1,"registry":{"index-url":"https://a/"}}"#, .malformed("the request has no kind")),
            (#"{"v":1,"registry":{"index-url":"https://a/"},"kind":"get","args":"x"}"#, .malformed("the request's args are not a list")),
            (#"{"v":1,"registry":{"index-url":"https://a/"},"kind":"get","args":["--account",1]}"#, .malformed("credential-provider takes only --account NAME")),
            (#"{"v":1,"registry":{"index-url":"https://a/"},"kind":"get","args":["--account=work"]}"#, .token(index: "https://a/", account: "work")),
            (#"{"v":1,"registry":{"index-url":"https://a/"},"kind":"get","args":["--account="]}"#, .malformed("credential-provider takes only --account NAME")),
        ])
    func others(line: String, request: CargoHelper.Request) {
        #expect(CargoHelper.request(Array(line.utf8)) == request)
    }

    @Test("answers are the lines of the protocol")
    func answers() {
        #expect(
            CargoHelper.answer(token: "TOK", expiration: 1_767_225_600)
                == #"{"Ok":{"kind":"get","token":"Bearer TOK","cache":"expires","expiration":1767225600,"operation_independent":true}}"#)
        #expect(
            CargoHelper.answer(token: "TOK", expiration: nil)
                == #"{"Ok":{"kind":"get","token":"Bearer TOK","cache":"session","operation_independent":true}}"#)
        #expect(
            CargoHelper.failure("sign in first: \"x\"")
                == #"{"Err":{"kind":"other","message":"sign in first: \"x\"","caused-by":[]}}"#)
    }
}

@Suite("Terraform's credentials helper protocol")
struct TerraformProtocolTests {
    @Test(
        "an operation and a host",
        arguments: [
            (["get", "registry.example.org"], TerraformHelper.Request.token(url: "https://registry.example.org/")),
            (["get", "localhost:8443"], .token(url: "https://localhost:8443/")),
            (["get", "xn--bcher-kva.example"], .token(url: "https://xn--bcher-kva.example/")),
            (["store", "registry.example.org"], .readOnly), (["forget", "registry.example.org"], .readOnly),
            ([], .usage), (["get"], .usage), (["get", "a", "b"], .usage), (["list", "a"], .usage),
        ])
    func questions(arguments: [String], request: TerraformHelper.Request) {
        #expect(TerraformHelper.request(arguments) == request)
    }
}

@Suite("Bazel's credential helper protocol")
struct BazelProtocolTests {
    @Test(
        "gRPC is asked about as the HTTP that it is",
        arguments: [
            ("grpcs://api.example.org/x", "https://api.example.org/x"), ("grpc://127.0.0.1:80/x", "http://127.0.0.1:80/x"),
            ("https://api.example.org/x?y=z", "https://api.example.org/x?y=z"),
        ])
    func schemes(uri: String, url: String) throws {
        #expect(try BazelHelper.url(in: Array("{\"uri\":\"\(uri)\",\"more\":[]}".utf8)) == url)
    }

    @Test("the end is told only where it is known")
    func endless() {
        #expect(BazelHelper.answer(token: "TOK", expiry: nil) == "{\"headers\":{\"Authorization\":[\"Bearer TOK\"]}}\n")
    }
}

@Suite("Go's GOAUTH")
struct GoAuthProtocolTests {
    @Test("the first call has no argument, a later one the URL")
    func questions() {
        #expect(GoAuthHelper.request([]) == .everything)
        #expect(GoAuthHelper.request(["https://proxy.example.org/a"]) == .token(url: "https://proxy.example.org/a"))
        #expect(GoAuthHelper.request(["http://127.0.0.1:8080/a"]) == .nothing)
        #expect(GoAuthHelper.request(["https://a/", "https://b/"]) == .usage)
    }

    @Test("each part ends with an empty line, and no URL with a slash")
    func answer() {
        let grants = [
            GoAuthHelper.Grant(prefixes: ["https://goproxy.example.org/", "https://code.example.org/team/"], token: "TOK"),
            GoAuthHelper.Grant(prefixes: ["https://other.example.org"], token: "T2"),
        ]
        #expect(
            GoAuthHelper.answer(grants) == """
                https://goproxy.example.org
                https://code.example.org/team

                Authorization: Bearer TOK

                https://other.example.org

                Authorization: Bearer T2


                """)
    }

    @Test("a block without a URL would be a block of another kind, and is left out")
    func empty() {
        #expect(GoAuthHelper.answer([]) == "")
        #expect(GoAuthHelper.answer([.init(prefixes: ["http://127.0.0.1/", "https:///"], token: "TOK")]) == "")
    }
}

@Suite("The command line of keyring")
struct KeyringProtocolTests {
    static let url = "https://pypi.example.org/simple/"

    @Test(
        "both calls of pip, with the options in any order",
        arguments: [
            (["get", url, "u"], "u" as String?, false, false), (["--mode=creds", "--output=json", "get", url], nil, true, true),
            (["get", "--output=json", url, "--mode=creds"], nil, true, true), (["--mode", "creds", "get", url, "u"], "u", true, false),
            (["get", url, "u", "--output", "json"], "u", false, true), (["--mode=creds", "--mode=password", "get", url, "u"], "u", false, false),
        ])
    func gets(arguments: [String], user: String?, hasUser: Bool, isJSON: Bool) {
        #expect(KeyringHelper.request(arguments) == .token(url: Self.url, user: user, form: .init(hasUser: hasUser, isJSON: isJSON)))
    }

    @Test(
        "what keyring's own parser refuses is refused",
        arguments: [
            [], ["get"], ["get", url], ["get", url, "u", "more"], ["diagnose"], ["-b", "x", "get", url, "u"], ["--mode=other", "get", url],
            ["--mode"], ["get", url, "u", "--output"], ["--list-backends"],
        ])
    func refused(arguments: [String]) {
        guard case .usage = KeyringHelper.request(arguments) else {
            Issue.record("\(KeyringHelper.request(arguments))")
            return
        }
    }

    @Test("nothing is kept or forgotten, and a host alone does not say where a token would go")
    func others() {
        #expect(KeyringHelper.request(["set", Self.url, "u"]) == .readOnly)
        #expect(KeyringHelper.request(["del", Self.url, "u"]) == .readOnly)
        #expect(KeyringHelper.request(["get", "pypi.example.org", "u"]) == .nothing)
        #expect(KeyringHelper.request(["get", "pypi.example.org:443", "u"]) == .nothing)
        #expect(KeyringHelper.request(["get", Self.url, "u\nv"]) == .nothing)
        #expect(KeyringHelper.request(["get", Self.url, ""]) == .nothing)
    }

    @Test("takes every name that it gives for one that says nothing about the account", arguments: ["google.com", "github.com", "microsoft.com", "demo"])
    func givenNames(providerID: String) {
        #expect(KeyringHelper.placeholders.contains(HelperUserName.registry(providerID: providerID)))
    }

    @Test("a password alone has no user in JSON, either")
    func passwordAlone() {
        #expect(KeyringHelper.answer(token: "TOK", user: "u", form: .init(hasUser: false, isJSON: true)) == "{\"password\":\"TOK\"}\n")
    }
}

@Suite("Helpers for one account")
struct AccountProtocolTests {
    private static let server = "https://mcp.example.org/mcp"

    @Test(
        "the server is the one that the environment names, or the command line where there is no environment",
        arguments: [
            (["work"], server, .name("work", destination: server)),
            ([], server, .url(server)),
            (["work", "--url", server], nil, .name("work", destination: server)),
            (["--url=\(server)", "work"], "", .name("work", destination: server)),
            (["--url", server], nil, .url(server)),
            // Its token goes where the environment says, whatever a file of the project has on the command line.
            (["work", "--url", server], "https://evil.example/mcp", .name("work", destination: "https://evil.example/mcp")),
        ] as [([String], String?, HelperRequest.Subject)])
    func serverNamed(arguments: [String], named: String?, subject: HelperRequest.Subject) throws {
        let request = try HeadersHelper.request(arguments) { $0 == "CLAUDE_CODE_MCP_SERVER_URL" ? named : nil }
        #expect(request == HelperRequest(subject: subject, patience: 8000))
    }

    @Test(
        "without a server, or with other words, there is no request",
        arguments: [
            (["work"], nil), ([], nil), (["work"], ""), (["a", "b"], server), ([""], server), (["work", "--url"], nil), (["work", "--url", ""], nil),
            (["work", "--url", server, "--url", server], nil), (["work", "--account", "x"], server), (["work", "--url", "ftp://h/"], nil),
        ] as [([String], String?)])
    func noServer(arguments: [String], named: String?) {
        #expect(throws: HelperOutput.self) { try HeadersHelper.request(arguments) { _ in named } }
    }
}
