import DemoProvider
import PosternCore
import PosternCrypto
import StrictJSON
import Testing

@Suite("Discovery and keys")
struct MetadataTests {
    @Test(
        "The discovery document stands at both places and names this issuer",
        arguments: [
            "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server",
        ])
    func discovery(path: String) throws {
        let browser = try DemoBrowser()
        let answer = try browser.get(path)
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "application/json")
        let metadata = try ProviderMetadata(parsing: answer.body, expectedIssuer: browser.provider.issuer)
        #expect(metadata.authorization?.text == "\(browser.provider.issuer)/authorize")
        #expect(metadata.announcesResponseIssuer)
        #expect(metadata.idTokenAlgorithms == [.es256])
        #expect(try answer.json["code_challenge_methods_supported"] == ["S256"])
    }

    @Test("A visitor without a browser is told what this is and how to use it")
    func directions() throws {
        let browser = try DemoBrowser()
        let words = try browser.get("/", headers: [("Accept", "*/*")])
        let text = String(decoding: words.body, as: UTF8.self)
        #expect(words.status == 200 && words.header("Content-Type")?.hasPrefix("text/plain") == true)
        #expect(text.contains("postern setup demo --issuer \(browser.provider.issuer) --client-id postern-demo"))
        #expect(try browser.get("/nothing").status == 404)
        let page = try browser.get("/", headers: [("Accept", "text/html,application/xhtml+xml")])
        #expect(page.header("Content-Type")?.hasPrefix("text/html") == true)
    }

    @Test("Keys are shown with kid and algorithm, and never their private half")
    func keys() throws {
        let answer = try DemoBrowser().get("/jwks")
        let key = try #require(try answer.json["keys"]?.arrayValue?.first?.objectValue)
        #expect(Set(key.keys) == ["kty", "crv", "x", "y", "kid", "use", "alg"])
        #expect(key["alg"] == "ES256")
    }

    @Test("Keys rotate only where that was asked for, and the previous one is still shown")
    func rotation() throws {
        #expect(try DemoBrowser().post("/demo/rotate-keys", []).status == 404)

        var options = DemoBrowser.options
        options.allowsKeyRotation = true
        let browser = try DemoBrowser(options)
        func ids() throws -> [String] {
            let keys = try #require(try browser.get("/jwks").json["keys"]?.arrayValue)
            return keys.compactMap { $0.objectValue?["kid"]?.stringValue }
        }
        let first = try ids()
        let second = try browser.post("/demo/rotate-keys", []).json.text("kid")
        #expect(try ids() == [second] + first)
        let third = try browser.post("/demo/rotate-keys", []).json.text("kid")
        #expect(try ids() == [third, second])
    }

    @Test("Another name for this address is refused", arguments: ["localhost", "evil.example", "127.0.0.1", ""])
    func foreignHost(host: String) throws {
        let browser = try DemoBrowser()
        let answer = try browser.send("GET", "/jwks", host: host.isEmpty ? "x" : "\(host):\(browser.port)0")
        #expect(answer.status == 421)
    }

    @Test(
        "A wrong method says which are right",
        arguments: [
            ("POST", "/jwks", "GET, HEAD"), ("GET", "/token", "POST"), ("GET", "/authorize/decision", "POST"),
            ("PUT", "/authorize", "GET, POST"),
            ("GET", "/revoke", "POST"), ("DELETE", "/userinfo", "GET, POST"),
        ])
    func methods(method: String, path: String, allowed: String) throws {
        let answer = try DemoBrowser().send(method, path, body: method == "GET" ? nil : "")
        #expect(answer.status == 405)
        #expect(answer.header("Allow") == allowed)
    }

    @Test(
        "What the pages need is there, and nothing else",
        arguments: [
            ("/", 200), ("/demo/style.css", 200), ("/demo/people/ada.svg", 200), ("/demo/people/grace.svg", 200), ("/favicon.ico", 204),
            ("/demo/people/eve.svg", 404), ("/..%2f", 404), ("/authorize/", 404),
        ])
    func assets(path: String, status: Int) throws {
        #expect(try DemoBrowser().get(path).status == status)
    }
}
