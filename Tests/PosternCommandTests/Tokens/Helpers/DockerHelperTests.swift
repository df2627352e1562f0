import PosternClient
import StrictJSON
import Testing

@testable import TestDaemon
@testable import postern

@Suite("docker's credential helper")
struct DockerHelperTests {
    private func get(_ server: String, _ source: TestSource = TestSource()) -> HelperOutput {
        DockerHelper.answer(HelperCall("get", input: server), source)
    }

    @Test("a token is the password of the provider's user name")
    func token() {
        let output = get("registry.example.org")
        #expect(output == HelperOutput(#"{"ServerURL":"registry.example.org","Username":"oauth2","Secret":"at-1"}"# + "\n"))
    }

    @Test(
        "each provider's registries want a user name of their own",
        arguments: [
            ("google.com", "oauth2accesstoken"), ("microsoft.com", "00000000-0000-0000-0000-000000000000"), ("github.com", "x-access-token"),
            ("gitlab.com", "oauth2"),
        ])
    func userName(provider: String, name: String) throws {
        var token = HelperToken.sample
        token.providerID = provider
        let reply = try JSONObject(json: JSON(parsing: get("r.example", TestSource(.token(token))).text))
        #expect(reply["Username"]?.stringValue == name)
    }

    @Test(
        "a registry is the same one however it is written",
        arguments: [
            ("registry.example.org", ["https://registry.example.org"]), ("registry.example.org:5000\n", ["https://registry.example.org:5000"]),
            ("https://registry.example.org", ["https://registry.example.org"]), ("https://index.docker.io/v1/", ["https://index.docker.io"]),
            ("https://registry.example.org/v2/", ["https://registry.example.org"]), (" r.example/team \r\n", ["https://r.example/team"]),
            ("127.0.0.1:5000", ["https://127.0.0.1:5000", "http://127.0.0.1:5000"]), ("[::1]:5000", ["https://[::1]:5000", "http://[::1]:5000"]),
            ("localhost", ["https://localhost", "http://localhost"]), ("http://127.0.0.1:5000", ["http://127.0.0.1:5000"]),
            ("127.0.0.1.evil.example", ["https://127.0.0.1.evil.example"]),
        ])
    func registry(server: String, urls: [String]) {
        let source = TestSource(.nothing("n"))
        #expect(get(server, source) == HelperOutput("credentials not found in native keychain\n", status: 1))
        #expect(source.questions == urls.map { HelperRequest(subject: .url($0)) })
    }

    @Test(
        "an invalid registry gets no token, and the daemon is not asked",
        arguments: [
            "github.com@evil.example", "https://github.com@evil.example", "r.example\nr2.example", "r.example\0", "r.example?x", "r.example#x",
            "r.example\\x", "ftp://r.example", "HTTPS://r.example", "https://", "https:///v2/", "r.example:x", "r.example/../x", "r ex.example",
            "r\u{456}.example", String(repeating: "a", count: 65536),
        ])
    func hostile(server: String) {
        let source = TestSource()
        #expect(get(server, source) == HelperOutput("credentials not found in native keychain\n", status: 1))
        #expect(source.questions.isEmpty)
    }

    @Test("no server is said in the words that callers know", arguments: ["", " \n"])
    func noServer(server: String) {
        #expect(get(server) == HelperOutput("no credentials server URL\n", status: 1))
        #expect(DockerHelper.answer(HelperCall("erase", input: server), TestSource()).text == "no credentials server URL\n")
    }

    @Test("an account that comes near is named on standard error, and callers read that there is nothing", arguments: ["r.example", "127.0.0.1:5000"])
    func near(server: String) {
        let output = get(server, TestSource(.nothing("those of acme are for https://r.example/acme/", isNear: true)))
        let words = "those of acme are for https://r.example/acme/"
        #expect(output == HelperOutput("credentials not found in native keychain\n", words: words, status: 1))
    }

    @Test("without a token there is a text and the status 1; what a user must do stands on both outputs", arguments: fruitless)
    func fruitlessAnswer(answer: HelperAnswer) {
        let notFound = "credentials not found in native keychain\n"
        let output = get("r.example", TestSource(answer))
        switch answer {
        case .nothing: #expect(output == HelperOutput(notFound, status: 1))
        case .noDaemon(let words): #expect(output == HelperOutput(notFound, words: words, status: 1))
        case .signInNeeded(let words), .unavailable(let words):
            #expect(output == HelperOutput("postern: \(words)\n", words: words, status: 1))
        case .token: Issue.record("a token")
        }
    }

    @Test(
        "nothing is stored",
        arguments: [
            (#"{"ServerURL":"r.example","Username":"u","Secret":"s"}"#, "postern keeps no password for r.example; sign in with: postern sign-in PROVIDER\n"),
            (#"{"Username":"u","Secret":"s"}"#, "no credentials server URL\n"), (#"{"ServerURL":"r","Secret":"s"}"#, "no credentials username\n"),
            ("x", "the credentials are not a JSON object\n"),
        ])
    func store(input: String, text: String) {
        #expect(DockerHelper.answer(HelperCall("store", input: input), TestSource()) == HelperOutput(text, status: 1))
    }

    @Test("the other operations answer as the protocol wants")
    func others() {
        let source = TestSource()
        #expect(DockerHelper.answer(HelperCall("list", input: "unused"), source) == HelperOutput("{}\n"))
        #expect(DockerHelper.answer(HelperCall("erase", input: "r.example"), source) == HelperOutput())
        #expect(DockerHelper.answer(HelperCall("version"), source).text == "docker-credential-postern (Postern) \(Release.version)\n")
        #expect(DockerHelper.answer(HelperCall("bogus"), source).status == 1)
        #expect(DockerHelper.answer(HelperCall(), source).status == 1)
        #expect(source.questions.isEmpty && source.refusals.isEmpty)
    }
}
