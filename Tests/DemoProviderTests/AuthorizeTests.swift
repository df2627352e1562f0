import DemoProvider
import PosternCore
import Testing

@Suite("Asking for consent")
struct AuthorizeTests {
    @Test("The page has a form with both people and a refusal, and a strict policy")
    func page() throws {
        let page = try DemoBrowser().authorize()
        #expect(page.status == 200)
        for part in [
            "<html lang=\"en\">", "<h1>", "action=\"/authorize/decision\"", "method=\"post\"", "name=\"person\" value=\"ada\"",
            "name=\"person\" value=\"grace\"", "name=\"decision\" value=\"deny\"", "Ada Lovelace", "Grace Hopper", "No, thanks",
        ] {
            #expect(page.text.contains(part), "\(part)")
        }
        let policy = try #require(page.header("Content-Security-Policy"))
        #expect(policy.contains("default-src 'none'"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(policy.contains("form-action 'self' http://127.0.0.1:7678"))
        #expect(page.header("Cache-Control") == "no-store")
        #expect(page.header("Referrer-Policy") == "same-origin")
        #expect(page.header("X-Content-Type-Options") == "nosniff")
        #expect(!page.text.contains("<script"))
    }

    @Test(
        "A form that another page sends is refused, and its question still waits",
        arguments: ["http://127.0.0.1:1", "http://evil.example", "null", "http://localhost"])
    func foreignForm(origin: String) throws {
        let browser = try DemoBrowser()
        let id = try DemoBrowser.requestID(on: try browser.authorize())
        let answer = [("request", id), ("person", "ada")]
        let refused = try browser.post("/authorize/decision", answer, headers: [("Origin", origin)])
        #expect(refused.status == 400 && refused.header("Location") == nil)
        #expect(try browser.post("/device", [("user_code", "x"), ("decision", "deny")], headers: [("Origin", origin)]).status == 400)
        #expect(try browser.post("/authorize/decision", answer, headers: [("Origin", browser.provider.issuer)]).redirect["code"] != nil)
    }

    @Test("The request may also come as a form")
    func post() throws {
        let browser = try DemoBrowser()
        #expect(try browser.post("/authorize", DemoBrowser.request()).status == 200)
    }

    @Test("A login hint puts that person first and in the focus", arguments: ["grace@example.org", "Grace", "demo-1906"])
    func loginHint(hint: String) throws {
        let text = try DemoBrowser().authorize(["login_hint": hint]).text
        #expect(text.contains("value=\"grace\" autofocus"))
        let grace = try #require(text.firstRange(of: "value=\"grace\""))
        let ada = try #require(text.firstRange(of: "value=\"ada\""))
        #expect(grace.lowerBound < ada.lowerBound)
    }

    @Test("An unknown login hint is not an error")
    func unknownHint() throws {
        #expect(try !DemoBrowser().authorize(["login_hint": "eve@example.com\"><script>"]).text.contains("autofocus"))
    }

    @Test(
        "Nobody is redirected until client and redirect URI are known to be good",
        arguments: [
            ["client_id": ""], ["client_id": "other"], ["redirect_uri": ""], ["redirect_uri": "https://evil.example/"],
            ["redirect_uri": "http://127.0.0.1:7678/__/auth/handler/"], ["redirect_uri": "http://127.0.0.1:7678/__/auth/handler?x"],
            ["redirect_uri": "http://127.0.0.1:7678/__/auth/handler#x"], ["redirect_uri": "http://localhost:7678/__/auth/handler"],
            ["redirect_uri": "https://127.0.0.1:7678/__/auth/handler"], ["redirect_uri": "http://127.0.0.2:7678/__/auth/handler"],
            ["redirect_uri": "http://127.0.0.1:7678@evil.example/__/auth/handler"],
            ["redirect_uri": "http://127.0.0.1:99999/__/auth/handler"],
            ["redirect_uri": "http://127.0.0.1:7678/x/../__/auth/handler"], ["redirect_uri": "javascript:alert(1)"],
        ])
    func badClientOrRedirect(changes: [String: String]) throws {
        let answer = try DemoBrowser().authorize(changes)
        #expect(answer.status == 400)
        #expect(answer.header("Location") == nil)
        #expect(answer.text.contains("This sign-in cannot go on"))
        #expect(!answer.text.contains("evil"))
    }

    @Test(
        "The port of a loopback address may be any",
        arguments: [
            "http://127.0.0.1/__/auth/handler", "http://127.0.0.1:1/__/auth/handler", "http://[::1]:65535/__/auth/handler",
        ])
    func loopbackPorts(uri: String) throws {
        #expect(try DemoBrowser().authorize(["redirect_uri": uri]).status == 200)
    }

    @Test("A browser is let to a redirect URI with an IPv6 address, which policies cannot name")
    func policyForIPv6() throws {
        let policy = try DemoBrowser().authorize(["redirect_uri": "http://[::1]:80/__/auth/handler"]).header("Content-Security-Policy")
        #expect(policy?.hasSuffix("form-action 'self' http:") == true)
    }

    @Test("Other redirect URIs are compared byte for byte")
    func exactRedirect() throws {
        let options = DemoProviderOptions(clients: [DemoClient(redirectURIs: ["https://app.example/cb", "com.example.app:/cb"])])
        let browser = try DemoBrowser(options)
        #expect(try browser.authorize(["redirect_uri": "https://app.example/cb"]).status == 200)
        #expect(try browser.authorize(["redirect_uri": "com.example.app:/cb"]).status == 200)
        #expect(try browser.authorize(["redirect_uri": "https://app.example:443/cb"]).status == 400)
        #expect(try browser.authorize(["redirect_uri": "https://App.example/cb"]).status == 400)
        #expect(try browser.authorize(["redirect_uri": DemoBrowser.redirectURI]).status == 400)
    }

    @Test(
        "Every other mistake is reported to the client, with state and issuer",
        arguments: [
            (["response_type": ""], "invalid_request"), (["response_type": "token"], "unsupported_response_type"),
            (["response_type": "code id_token"], "unsupported_response_type"), (["response_mode": "fragment"], "invalid_request"),
            (["scope": ""], "invalid_scope"), (["scope": "unheard-of"], "invalid_scope"), (["code_challenge": ""], "invalid_request"),
            (["code_challenge_method": ""], "invalid_request"), (["code_challenge_method": "plain"], "invalid_request"),
            (["code_challenge": "short"], "invalid_request"), (["code_challenge": String(repeating: "=", count: 43)], "invalid_request"),
            (["prompt": "none"], "login_required"), (["prompt": "none login"], "invalid_request"), (["prompt": "sing"], "invalid_request"),
            (["request": "eyJ"], "request_not_supported"), (["request_uri": "https://x"], "request_uri_not_supported"),
        ] as [([String: String], String)])
    func errors(changes: [String: String], error: String) throws {
        let browser = try DemoBrowser()
        let answer = try browser.authorize(changes)
        #expect(answer.status == 303)
        #expect(answer.header("Location")?.hasPrefix("\(DemoBrowser.redirectURI)?") == true)
        let redirect = try answer.redirect
        #expect(redirect["error"] == error)
        #expect(redirect["state"] == "s +/&=é")
        #expect(redirect["iss"] == browser.provider.issuer)
        #expect(redirect["code"] == nil)
    }

    @Test("A missing state is not invented")
    func noState() throws {
        #expect(try DemoBrowser().authorize(["state": "", "prompt": "none"]).redirect["state"] == nil)
    }

    @Test(
        "Duplicate parameters are refused: in the browser if they identify the client, else at the client",
        arguments: [
            ("client_id", 400), ("redirect_uri", 400), ("scope", 303), ("state", 303), ("code_challenge", 303),
            ("code_challenge_method", 303),
            ("response_type", 303), ("nonce", 303),
        ])
    func doubles(name: String, status: Int) throws {
        let pairs = DemoBrowser.request()
        let double = try #require(pairs.first { $0.0 == name })
        let answer = try DemoBrowser().get("/authorize?" + form(pairs + [double]))
        #expect(answer.status == status)
        if status == 303 { #expect(try answer.redirect["error"] == "invalid_request") }
    }

    @Test("A query that cannot be read gets a page", arguments: ["%", "%zz=1", "a=%ff", "a=%00", String(repeating: "a&", count: 65)])
    func malformed(query: String) throws {
        #expect(try DemoBrowser().get("/authorize?\(query)").status == 400)
    }
}

@Suite("Answering")
struct DecisionTests {
    @Test("A user who agrees is sent back with code, state and issuer")
    func yes() throws {
        let browser = try DemoBrowser()
        let id = try DemoBrowser.requestID(on: try browser.authorize())
        let answer = try browser.post("/authorize/decision", [("request", id), ("person", "grace")])
        #expect(answer.status == 303)
        let redirect = try answer.redirect
        #expect(redirect["code"]?.count == 43)
        #expect(redirect["state"] == "s +/&=é")
        #expect(redirect["iss"] == browser.provider.issuer)
    }

    @Test("A refusal is access_denied")
    func no() throws {
        let browser = try DemoBrowser()
        let id = try DemoBrowser.requestID(on: try browser.authorize())
        let redirect = try browser.post("/authorize/decision", [("request", id), ("decision", "deny")]).redirect
        #expect(redirect["error"] == "access_denied")
        #expect(redirect["state"] == "s +/&=é")
        #expect(redirect["code"] == nil)
    }

    @Test("A page is answered once")
    func once() throws {
        let browser = try DemoBrowser()
        let id = try DemoBrowser.requestID(on: try browser.authorize())
        #expect(try browser.post("/authorize/decision", [("request", id), ("person", "ada")]).status == 303)
        #expect(try browser.post("/authorize/decision", [("request", id), ("person", "ada")]).status == 400)
    }

    @Test(
        "Neither an unknown page nor an unknown person leads anywhere",
        arguments: [
            [("request", "x"), ("person", "ada")], [("person", "ada")], [("decision", "deny")], [("request", "x")], [],
        ])
    func unknown(pairs: [(String, String)]) throws {
        let answer = try DemoBrowser().post("/authorize/decision", pairs)
        #expect(answer.status == 400)
        #expect(answer.header("Location") == nil)
    }

    @Test("An unknown person leaves the page to be answered")
    func unknownPerson() throws {
        let browser = try DemoBrowser()
        let id = try DemoBrowser.requestID(on: try browser.authorize())
        #expect(try browser.post("/authorize/decision", [("request", id), ("person", "eve")]).status == 400)
        #expect(try browser.post("/authorize/decision", [("request", id), ("person", "ada")]).status == 303)
    }
}
