import CallbackServer
import LoopbackHTTP
import NIOCore
import PosternCore
import Testing

@testable import TestHTTPClient

@Suite("The callback server")
struct CallbackServerTests {
    private let known = RecordingDelegate.knownState

    @Test("a callback with the right state goes on to its result page, at an address without a code")
    func taken() throws {
        let server = try TestCallbackServer()
        let response = try server.get("/__/auth/handler?state=\(known)&code=C0DE&iss=https%3A%2F%2Fe.example&session_state=a%2Bb")
        #expect(response.status == 303)
        #expect(response.header("Location") == "/__/auth/done?page=page-1")
        #expect(response.body.isEmpty)
        expectSecurityHeaders(response)
        let callback = try #require(server.delegate.callbacks.first)
        #expect(callback.path == "/__/auth/handler")
        #expect(callback.method == .get)
        #expect(callback.parameters.code?.reveal() == "C0DE")
        #expect(callback.parameters.iss == "https://e.example")
        #expect(callback.parameters["session_state"]?.reveal() == "a+b")
    }

    @Test("a posted form is the same, whatever origin it names")
    func posted() throws {
        let server = try TestCallbackServer()
        let response = try server.post(
            "/__/auth/handler/apple.com", "state=\(known)&code=c.0.x&user=%7B%22name%22%3A%7B%7D%7D",
            headers: [
                "Origin: https://appleid.apple.com", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document",
            ])
        #expect(response.status == 303)
        let callback = try #require(server.delegate.callbacks.first)
        #expect(callback.path == "/__/auth/handler/apple.com")
        #expect(callback.method == .post)
        #expect(callback.parameters["user"]?.reveal() == #"{"name":{}}"#)
    }

    @Test("OAuth 1.0a answers and refusals are handed on")
    func oauth1() throws {
        let server = try TestCallbackServer()
        #expect(try server.get("/__/auth/handler?state=\(known)&oauth_token=T&oauth_verifier=V").status == 303)
        #expect(try server.get("/__/auth/handler?denied=T").status == 400)
        #expect(server.delegate.callbacks.map { $0.parameters.oauthToken?.reveal() } == ["T", nil])
        #expect(server.delegate.callbacks.map { $0.parameters.denied?.reveal() } == [nil, "T"])
    }

    @Test("a callback that comes again is answered again")
    func again() throws {
        let server = try TestCallbackServer()
        for _ in 0..<3 { #expect(try server.get("/__/auth/handler?state=\(known)&code=c").status == 303) }
    }

    @Test("a handler request with nothing in it gets the page that reads the fragment", arguments: ["", "?"])
    func fragmentPage(query: String) throws {
        let server = try TestCallbackServer()
        let response = try server.get("/__/auth/handler\(query)", headers: ["Sec-Fetch-Dest: document"])
        #expect(response.status == 200)
        expectSecurityHeaders(response)
        let policy = try #require(response.header("Content-Security-Policy"))
        #expect(policy.contains("script-src 'sha256-") && policy.contains("form-action 'self'"))
        #expect(response.body.contains("<script>"))
        #expect(server.delegate.callbacks.isEmpty)
    }

    @Test("no other page may run a script or post a form")
    func policies() throws {
        let server = try TestCallbackServer(pages: ["a": .sample(.completed(.sample(.ada)))])
        for target in ["/", "/__/auth/done", "/__/auth/done?page=a", "/__/auth/done?page=b", "/__/auth/handler?state=x", "/favicon.ico"] {
            let response = try server.get(target)
            expectSecurityHeaders(response)
            let policy = try #require(response.header("Content-Security-Policy"))
            #expect(!policy.contains("script-src") && policy.contains("form-action 'none'"))
            #expect(!response.body.contains("<script"))
        }
    }

    @Test("a wrong method is answered with the right ones")
    func allow() throws {
        let server = try TestCallbackServer()
        #expect(try server.ask("DELETE /__/auth/handler?state=\(known)").header("Allow") == "GET, POST")
        #expect(try server.ask("DELETE /__/auth/done").header("Allow") == "GET, POST")
        #expect(try server.ask("PUT /favicon.ico").header("Allow") == "GET")
        #expect(try server.ask("BREW /").header("Allow") == "GET, POST")
    }

    @Test("every bound address and localhost are served by their names, on both families")
    func hosts() throws {
        let server = try TestCallbackServer([.address(host: "127.0.0.1", port: 0), .address(host: "::1", port: 0)])
        for host in ["127.0.0.1", "[::1]", "localhost", "LOCALHOST"] {
            #expect(try server.ask("GET /favicon.ico", host: "\(host):\(server.port)").status == 200)
        }
        #expect(try server.ask("GET /favicon.ico", host: "127.0.0.2:\(server.port)").status == 421)
    }

    @Test("the icon is small and needs nothing else")
    func icon() throws {
        let server = try TestCallbackServer()
        let response = try server.get("/favicon.ico", headers: ["Sec-Fetch-Dest: image"])
        #expect(response.status == 200)
        #expect(response.header("Content-Type") == "image/svg+xml")
        #expect(response.body.hasPrefix("<svg") && response.body.utf8.count < 1024)
        expectSecurityHeaders(response)
    }

    @Test("a sign-in goes through while 64 connections are held, some of them dripping")
    func heldConnections() throws {
        let server = try TestCallbackServer { $0.headerTime = .hours(1) }
        var held: [RawClient] = []
        for number in 0..<64 {
            let client = try RawClient(server.address)
            if number % 2 == 0 { try client.send("GET /__/auth/handler?sta") }
            held.append(client)
        }
        #expect(try server.get("/__/auth/handler?state=\(known)&code=c").status == 303)
        #expect(server.delegate.callbacks.count == 1)
        _ = held
    }

    // MARK: The result page

    @Test("the result page shows each state with its status, and again when it is reloaded")
    func resultPages() throws {
        let server = try TestCallbackServer(pages: [
            "done": .sample(.completed(.sample(.ada))),
            "bad": .sample(.failed(.provider(.denied(error: "access_denied", description: nil))), wasDeclined: true), "wait": .sample(nil),
        ])
        for _ in 0..<2 {
            let completed = try server.get("/__/auth/done?page=done")
            #expect(completed.status == 200 && completed.body.contains("You are signed in"))
            for text in ["Ada", "ada@example.com", "GitHub", "my-app"] { #expect(completed.body.contains(text)) }
            let failed = try server.get("/__/auth/done?page=bad")
            #expect(failed.status == 200 && failed.body.contains("You are not signed in"))
        }
        let waiting = try server.get("/__/auth/done?page=wait")
        #expect(waiting.status == 200 && waiting.body.contains(#"<meta http-equiv="refresh" content="1">"#))
        #expect(try server.get("/__/auth/done?page=unknown").status == 404)
        let plain = try server.get("/__/auth/done")
        #expect(plain.status == 200 && plain.body.contains("Nothing to show"))
    }

    @Test(
        "the language follows Accept-Language among those configured, English else",
        arguments: [
            (nil, "en"), ("", "en"), ("ja", "ja"), ("it-IT,it;q=0.9,en;q=0.8", "it"), ("fr-FR,fr;q=0.9,ja;q=0.5", "ja"),
            ("en;q=0.1,it;q=0.2,ja;q=0.3", "ja"), ("ja;q=0,it;q=0.1", "it"), ("JA-jp", "ja"), ("de", "en"), ("*", "en"),
            ("*,it;q=0.5", "en"),
            ("ja;q=2,it;q=0.1", "it"), ("ja;q=x", "en"), ("ja;q=0.1234,it;q=0.1", "it"), (" it ; q = 0.5 ", "it"), (";;,,;q=1", "en"),
            ("jav", "en"),
        ] as [(String?, String)])
    func languages(header: String?, expected: String) throws {
        let server = try TestCallbackServer()
        let response = try server.get("/", headers: header.map { ["Accept-Language: \($0)"] } ?? [])
        #expect(response.header("Content-Language") == expected)
        #expect(response.body.contains("<html lang=\"\(expected)\">"))
    }

    @Test("only configured languages are spoken, the first where English is not among them")
    func configuredLanguages() throws {
        let server = try TestCallbackServer(languages: [.italian, .japanese])
        #expect(try server.get("/", headers: ["Accept-Language: en"]).header("Content-Language") == "it")
        #expect(try server.get("/", headers: ["Accept-Language: ja"]).header("Content-Language") == "ja")
        #expect(try TestCallbackServer(languages: []).get("/").header("Content-Language") == "en")
    }

    // MARK: Changes while it runs

    @Test("while the configuration is not valid every page says so, in the reader's language, and nothing is taken")
    func configurationProblem() throws {
        let server = try TestCallbackServer()
        server.delegate.configurationIs(wrong: "/home/ada/.config/postern/config.toml:3: unknown key <b>no-such-key</b>")
        let headings = [
            "en": "Postern’s configuration is not valid", "ja": "Postern の設定に誤りがあります", "it": "La configurazione di Postern non è valida",
        ]
        for target in ["/__/auth/handler?state=\(known)&code=c", "/__/auth/done?page=page-1", "/", "/.well-known/jwks.json"] {
            for (language, heading) in headings {
                let response = try server.get(target, headers: ["Accept-Language: \(language)"])
                #expect(response.status == 503)
                #expect(response.body.contains(heading))
                #expect(response.body.contains("config.toml:3: unknown key &lt;b&gt;no-such-key&lt;/b&gt;"))
                expectSecurityHeaders(response)
            }
        }
        #expect(server.delegate.callbacks.isEmpty)
        server.delegate.configurationIs(wrong: nil)
        #expect(try server.get("/__/auth/handler?state=\(known)&code=c").status == 303)
    }

    @Test("each request is one question, and with it whether anything can be served; an icon needs none")
    func oneQuestion() throws {
        let server = try TestCallbackServer()
        let targets = [
            "/__/auth/handler?state=\(known)&code=c", "/__/auth/handler", "/__/auth/done?page=page-1", "/__/auth/done", "/__/auth/end-session?page=go",
            "/__/auth/signed-out", "/.well-known/openid-configuration", "/.well-known/jwks.json", "/", "/no-such-page",
        ]
        for (count, target) in targets.enumerated() {
            _ = try server.get(target)
            #expect(server.delegate.questions == count + 1, "\(target)")
        }
        #expect(try server.get("/favicon.ico").status == 200 && server.delegate.questions == targets.count)
    }

    @Test("a changed configuration holds for the next connection")
    func changed() throws {
        let server = try TestCallbackServer()
        let running = server.server
        let context = try TestCertificate().context()
        #expect(try server.get("/", headers: ["Accept-Language: it"]).header("Content-Language") == "it")
        try EventLoops.one.submit { try running.change(CallbackSettings(tls: context, languages: [.english])) }.wait()
        let response = try server.get("/", headers: ["Accept-Language: it"])
        #expect(response.status == 400 && response.body.contains("https"))
        try EventLoops.one.submit { try running.change(CallbackSettings(sameUser: false, languages: [.japanese])) }.wait()
        #expect(try server.get("/", headers: ["Accept-Language: it"]).header("Content-Language") == "ja")
    }

    @Test("an address that is listened on later is one that a browser may name")
    func laterAddress() throws {
        let server = try TestCallbackServer()
        let added = try server.server.listen(at: [.address(host: "::1", port: 0)]).wait()
        let host = "[::1]:\(try #require(added[0].port))"
        let client = try RawClient(added[0])
        try client.send("GET /__/auth/done HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
        #expect(try client.response()?.status == 200)
        try server.server.stopListening(at: added).wait()
        #expect(try eventually { try server.ask("GET /__/auth/done", host: host).status == 421 })
        #expect(try server.get("/__/auth/done").status == 200)
    }

    @Test("a browser that is connected is served to its end, after the address is given up")
    func formerAddress() throws {
        let server = try TestCallbackServer()
        let request = "GET /__/auth/done HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
        let client = try RawClient(server.address)
        try client.send(request)
        #expect(try client.response()?.status == 200)
        try server.server.stopListening(at: [server.address]).wait()
        for _ in 1...2 {
            try client.send(request)
            #expect(try client.response()?.status == 200)
        }
    }
}
