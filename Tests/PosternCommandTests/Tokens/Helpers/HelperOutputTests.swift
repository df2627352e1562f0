import PosternClient
import Testing

@testable import TestDaemon
@testable import postern

/// Notes what it is asked, and answers all of it alike.
private final class OneAnswer: HelperSource {
    let answer: HelperAnswer
    private(set) var questions: [HelperRequest] = []

    init(_ answer: HelperAnswer) { self.answer = answer }

    func answer(_ request: HelperRequest) -> HelperAnswer {
        questions.append(request)
        return answer
    }

    func refused(_ token: Secret, at url: String) { Issue.record("only git says so") }
}

@Suite("What each helper does with each answer")
struct HelperOutputTests {
    static let url = "https://registry.example.org/index/"
    static let token = HelperAnswer.token(
        HelperToken(
            secret: Secret("TOK"), expiry: 1_795_316_400, tokenType: "Bearer", providerID: "work", uid: "1",
            prefix: "https://registry.example.org/"))

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var arguments: [String]
        var input = ""
        var variables: [String: String] = [:]
        var request: HelperRequest
        /// With a token.
        var given: String
        var nothing: HelperOutput
        var signInNeeded: HelperOutput
        var unavailable: HelperOutput
        var noDaemon: HelperOutput
        var greeting = ""

        var testDescription: String { name }
    }

    /// Words on standard error, and the status of the command.
    static func words(_ words: String, _ status: CommandStatus) -> HelperOutput { HelperOutput(words: words, status: status.rawValue) }
    static let signIn = words("sign in", .signInNeeded)
    static let later = words("later", .failed)
    static let nobody = words("nobody", .daemonUnreachable)
    static let none = words("none", .failed)

    static let cases = [
        Case(
            name: "cargo", arguments: ["--cargo-plugin"],
            input: "{\"v\":1,\"registry\":{\"index-url\":\"sparse+\(url)\"},\"kind\":\"get\",\"operation\":\"read\",\"args\":[]}\n",
            request: HelperRequest(subject: .url(url), minimumValiditySeconds: 120, wantsConfiguredURL: true),
            given: CargoHelper.answer(token: "TOK", expiration: 1_795_316_400) + "\n",
            nothing: HelperOutput("{\"Err\":{\"kind\":\"not-found\"}}\n", words: "none"),
            signInNeeded: HelperOutput("{\"Err\":{\"kind\":\"other\",\"message\":\"sign in\",\"caused-by\":[]}}\n"),
            unavailable: HelperOutput("{\"Err\":{\"kind\":\"other\",\"message\":\"later\",\"caused-by\":[]}}\n"),
            noDaemon: HelperOutput("{\"Err\":{\"kind\":\"not-found\"}}\n", words: "nobody"), greeting: "{\"v\":[1]}\n"),
        Case(
            name: "terraform", arguments: ["--account", "work", "get", "registry.example.org"],
            request: HelperRequest(subject: .name("work", destination: "https://registry.example.org/")), given: "{\"token\":\"TOK\"}\n",
            nothing: HelperOutput("{}\n"), signInNeeded: signIn, unavailable: later, noDaemon: HelperOutput("{}\n", words: "nobody")),
        Case(
            name: "bazel", arguments: ["get"], input: "{\"uri\":\"grpcs://registry.example.org/index/\"}",
            request: HelperRequest(subject: .url(url), patience: 8000),
            given: "{\"expires\":\"2026-11-22T03:00:00Z\",\"headers\":{\"Authorization\":[\"Bearer TOK\"]}}\n", nothing: HelperOutput("{}\n"),
            signInNeeded: signIn, unavailable: later, noDaemon: nobody),
        Case(
            name: "goauth", arguments: ["--origin", "https://other.example.org", url], input: "HTTP/1.1 401 Unauthorized\r\n\r\n",
            request: HelperRequest(subject: .url(url)), given: "https://registry.example.org\n\nAuthorization: Bearer TOK\n\n",
            nothing: HelperOutput(), signInNeeded: signIn, unavailable: later, noDaemon: nobody),
        Case(
            name: "goauth", arguments: ["--account", "work", "--origin", "https://other.example.org/a/"],
            request: HelperRequest(subject: .name("work", destination: "https://other.example.org/a/")),
            given: "https://other.example.org/a\n\nAuthorization: Bearer TOK\n\n", nothing: HelperOutput(), signInNeeded: HelperOutput(),
            unavailable: HelperOutput(), noDaemon: HelperOutput()),
        Case(
            name: "keyring", arguments: ["get", url, "ada"], request: HelperRequest(subject: .url(url, user: "ada")), given: "TOK\n",
            nothing: HelperOutput(status: 1), signInNeeded: words("sign in", .failed), unavailable: later,
            noDaemon: words("nobody", .failed)),
        Case(
            name: "keyring", arguments: ["--mode=creds", "--output=json", "get", url], request: HelperRequest(subject: .url(url)),
            given: "{\"username\":\"oauth2\",\"password\":\"TOK\"}\n", nothing: HelperOutput(status: 1),
            signInNeeded: words("sign in", .failed), unavailable: later, noDaemon: words("nobody", .failed)),
        Case(
            name: "keyring", arguments: ["--mode=creds", "get", url, "__token__"], request: HelperRequest(subject: .url(url)),
            given: "__token__\nTOK\n", nothing: HelperOutput(status: 1), signInNeeded: words("sign in", .failed), unavailable: later,
            noDaemon: words("nobody", .failed)),
        Case(
            name: "pnpm", arguments: ["work"], request: HelperRequest(subject: .name("work")), given: "Bearer TOK\n", nothing: none,
            signInNeeded: signIn, unavailable: later, noDaemon: nobody),
        Case(
            name: "mcp-headers", arguments: ["work"], variables: ["CLAUDE_CODE_MCP_SERVER_URL": url],
            request: HelperRequest(subject: .name("work", destination: url), patience: 8000), given: "{\"Authorization\":\"Bearer TOK\"}\n", nothing: none,
            signInNeeded: signIn, unavailable: later, noDaemon: nobody),
        Case(
            name: "google", arguments: ["work"], request: HelperRequest(subject: .name("work"), kind: .idToken),
            given: GoogleHelper.answer(
                idToken: "TOK", tokenType: "urn:ietf:params:oauth:token-type:id_token", expiration: 1_795_316_400),
            nothing: HelperOutput(GoogleHelper.failure(code: "404", message: "none")),
            signInNeeded: HelperOutput(GoogleHelper.failure(code: "401", message: "sign in")),
            unavailable: HelperOutput(GoogleHelper.failure(code: "503", message: "later")),
            noDaemon: HelperOutput(GoogleHelper.failure(code: "503", message: "nobody"))),
    ]

    private static func google(_ call: HelperCall, _ source: OneAnswer, keep: (String, String) -> Void) -> HelperOutput {
        do throws(HelperOutput) { return try GoogleHelper.output(for: call, source, keep: keep) } catch { return error }
    }

    private static func run(_ test: Case, _ answer: HelperAnswer) -> (HelperOutput, questions: [HelperRequest], greeting: String) {
        let source = OneAnswer(answer)
        var greeting = ""
        let call = HelperCall(
            arguments: test.arguments, variable: { test.variables[$0] }, input: { _ in Array(test.input.utf8) },
            greet: {
                greeting += $0
                return true
            })
        let output: HelperOutput =
            switch test.name {
            case "cargo": CargoHelper.answer(call, source)
            case "terraform": TerraformHelper.answer(call, source)
            case "bazel": BazelHelper.answer(call, source)
            case "goauth": GoAuthHelper.answer(call, source)
            case "keyring": KeyringHelper.answer(call, source)
            case "pnpm": PnpmHelper.answer(call, source)
            case "mcp-headers": HeadersHelper.answer(call, source)
            default: Self.google(call, source) { _, _ in Issue.record("no file is named") }
            }
        return (output, source.questions, greeting)
    }

    @Test("the request is the one that was meant, and a token the whole answer", arguments: cases)
    func gives(test: Case) {
        let (output, questions, greeting) = Self.run(test, Self.token)
        #expect(output == HelperOutput(test.given))
        #expect(questions == [test.request])
        #expect(greeting == test.greeting)
    }

    @Test("programs that ask about every server are told why there is nothing only where an account comes near")
    func nearMiss() {
        for test in Self.cases where ["terraform", "bazel"].contains(test.name) {
            #expect(Self.run(test, .nothing("none", isNear: true)).0 == HelperOutput("{}\n", words: "none"), "\(test.name)")
        }
        for test in Self.cases where test.name == "keyring" || test.name == "goauth" && test.nothing == HelperOutput() && test.arguments.last == Self.url {
            #expect(Self.run(test, .nothing("none", isNear: true)).0 == Self.none, "\(test.name)")
            #expect(Self.run(test, .nothing("none")).0.words == nil, "\(test.name)")
        }
    }

    @Test("without a token there is what the protocol has for it", arguments: cases)
    func fails(test: Case) {
        #expect(Self.run(test, .nothing("none")).0 == test.nothing)
        #expect(Self.run(test, .signInNeeded("sign in")).0 == test.signInNeeded)
        #expect(Self.run(test, .unavailable("later")).0 == test.unavailable)
        #expect(Self.run(test, .noDaemon("nobody")).0 == test.noDaemon)
    }

    @Test("Google's file gets what standard output gets, and a terminal no token")
    func google() {
        var kept: [String: String] = [:]
        func run(_ variables: [String: String]) -> (HelperOutput, HelperRequest?) {
            let source = OneAnswer(Self.token)
            let call = HelperCall(arguments: ["work"], variable: { variables[$0] }, input: { _ in [] })
            return (Self.google(call, source) { kept[$0] = $1 }, source.questions.first)
        }
        let (plain, request) = run(["GOOGLE_EXTERNAL_ACCOUNT_OUTPUT_FILE": "/f", "GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE": "0"])
        #expect(kept["/f"].map { HelperOutput($0) } == plain && request?.mayOpenPage == false)
        let (shown, asked) = run(["GOOGLE_EXTERNAL_ACCOUNT_OUTPUT_FILE": "/g", "GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE": "1"])
        #expect(shown == HelperOutput() && kept["/g"] == kept["/f"] && asked?.mayOpenPage == true)
    }

    static let aws = ["work", "--role-arn", "arn:aws:iam::123456789012:role/deploy", "--sts-endpoint", "https://sts.example.org/"]

    private static func exchange(_ answer: HelperAnswer, _ reply: Result<FormRequest.Reply, CommandFailure>) -> (HelperOutput, [String]) {
        var sent: [String] = []
        let call = HelperCall(arguments: aws, variable: { _ in nil }, input: { _ in [] })
        do throws(HelperOutput) {
            let output = try AWSHelper.output(for: call, OneAnswer(answer)) { form, url throws(CommandFailure) in
                sent += [form, url]
                return try reply.get()
            }
            return (output, sent)
        } catch {
            return (error, sent)
        }
    }

    @Test("AWS keys are those that the service gave for the ID token")
    func keys() {
        let reply = FormRequest.Reply(status: 200, body: Array(AWSProtocolTests.success.utf8))
        let (output, sent) = Self.exchange(Self.token, .success(reply))
        #expect(String(decoding: output.bytes, as: UTF8.self).contains("\"SecretAccessKey\":\"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\""))
        #expect(output.status == 0 && output.words == nil)
        #expect(sent.count == 2 && sent[0].contains("WebIdentityToken=TOK") && sent[1] == "https://sts.example.org/")
    }

    @Test("no keys without a token, and nothing is sent")
    func unsent() {
        let reply = FormRequest.Reply(status: 200, body: Array(AWSProtocolTests.success.utf8))
        for (answer, output) in [
            (HelperAnswer.nothing("none"), Self.none), (.signInNeeded("sign in"), Self.signIn), (.unavailable("later"), Self.later),
            (.noDaemon("nobody"), Self.nobody),
        ] {
            #expect(Self.exchange(answer, .success(reply)) == (output, []))
        }
    }

    @Test("a refusal says why, and never repeats the token")
    func refusal() {
        func refused(_ message: String) -> HelperOutput {
            let body =
                "<ErrorResponse xmlns=\"\(SecurityTokenService.namespace)\"><Error><Code>AccessDenied</Code><Message>\(message)</Message></Error></ErrorResponse>"
            return Self.exchange(Self.token, .success(FormRequest.Reply(status: 403, body: Array(body.utf8)))).0
        }
        #expect(
            refused("Not authorized&#10;to")
                == Self.words("https://sts.example.org/ refused the ID token of work (AccessDenied): Not authorized\u{FFFD}to", .failed))
        #expect(refused("is TOK") == Self.words("https://sts.example.org/ refused the ID token of work (AccessDenied)", .failed))
        let html = Self.exchange(Self.token, .success(FormRequest.Reply(status: 200, body: Array("<html>".utf8)))).0
        #expect(html.bytes.isEmpty && html.status == 1)
        let offline = Self.exchange(Self.token, .failure(CommandFailure("offline"))).0
        #expect(offline == Self.words("offline", .failed))
    }

    @Test("an option and its value may be one word", arguments: ["terraform", "goauth"])
    func attached(name: String) throws {
        var test = try #require(Self.cases.first { $0.name == name && $0.arguments.contains("--account") })
        let apart = Self.run(test, Self.token)
        while let index = test.arguments.firstIndex(where: { ["--account", "--origin"].contains($0) }) {
            test.arguments[index] += "=" + test.arguments.remove(at: index + 1)
        }
        let together = Self.run(test, Self.token)
        #expect(together.0 == apart.0 && together.1 == apart.1 && !together.1.isEmpty)
    }

    @Test("wrong arguments are told to whoever wrote them, and nobody is asked")
    func usage() {
        for (name, arguments) in [
            ("cargo", ["get"]), ("terraform", []), ("terraform", ["--account", "get"]), ("terraform", ["--bogus", "get", "a"]), ("bazel", []),
            ("bazel", ["store"]), ("goauth", ["a", "b"]), ("goauth", ["--origin", "http://127.0.0.1/"]), ("goauth", ["--account"]),
            ("terraform", ["--account=", "get", "a"]),
            ("keyring", ["--bogus"]), ("pnpm", []), ("pnpm", ["--interactive"]), ("mcp-headers", []),
        ] {
            var test = Self.cases[0]
            (test.name, test.arguments) = (name, arguments)
            let (output, questions, greeting) = Self.run(test, Self.token)
            #expect(output.bytes.isEmpty && output.words != nil && output.status == (name == "keyring" ? 2 : 64), "\(name) \(arguments)")
            #expect(questions.isEmpty && greeting.isEmpty)
        }
    }

    @Test("what another program wants kept or forgotten is refused with a sentence")
    func readOnly() {
        for (name, arguments) in [
            ("terraform", ["store", "a"]), ("terraform", ["forget", "a"]), ("keyring", ["set", "https://a/", "u"]),
            ("keyring", ["del", "https://a/", "u"]),
        ] {
            var test = Self.cases[0]
            (test.name, test.arguments) = (name, arguments)
            let (output, questions, _) = Self.run(test, Self.token)
            #expect(output.bytes.isEmpty && output.words != nil && output.status == 1 && questions.isEmpty, "\(name) \(arguments)")
        }
    }

    @Test("a Cargo that has exited, and an endless request, get no token")
    func cargoGone() {
        let gone = HelperCall(arguments: ["--cargo-plugin"], variable: { _ in nil }, input: { _ in [] })
        #expect(CargoHelper.answer(gone, OneAnswer(Self.token)) == HelperOutput())
        let deaf = HelperCall(arguments: [], variable: { _ in nil }, input: { _ in Array("{}".utf8) }, greet: { _ in false })
        #expect(CargoHelper.answer(deaf, OneAnswer(Self.token)) == HelperOutput(status: 1))
        let endless = HelperCall(arguments: [], variable: { _ in nil }, input: { _ in nil })
        #expect(CargoHelper.answer(endless, OneAnswer(Self.token)).bytes.starts(with: Array("{\"Err\":{\"kind\":\"other\"".utf8)))
        #expect(BazelHelper.answer(HelperCall(arguments: ["get"], variable: { _ in nil }, input: { _ in nil }), OneAnswer(Self.token)).status == 64)
    }
}
