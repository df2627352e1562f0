import Testing

@testable import CallbackServer
@testable import TestHTTPClient

@Suite("On to the page that ends a session, and back")
struct EndSessionTests {
    @Test("A browser is handed on with nothing of where it came from")
    func handedOn() throws {
        let server = try TestCallbackServer()
        let response = try server.get("/__/auth/end-session?page=go")
        #expect(response.status == 303)
        #expect(response.header("Location") == "https://op.example/bye?id_token_hint=a.b.c")
        #expect(response.header("Referrer-Policy") == "no-referrer")
        #expect(response.header("Cache-Control")?.contains("no-store") == true)
    }

    @Test(
        "What is not known, or no navigation of a person's, is handed on nowhere",
        arguments: [
            ("GET /__/auth/end-session", 404), ("GET /__/auth/end-session?page=", 404), ("GET /__/auth/end-session?page=other", 404),
            ("GET /__/auth/end-session?page=%ff", 404), ("GET /__/auth/end-session?page=go&page=go", 404),
            ("POST /__/auth/end-session?page=go", 405), ("GET /__/auth/signed-out", 404), ("GET /__/auth/signed-out?state=wrong", 404),
            ("POST /__/auth/signed-out?state=KNOWN-STATE", 405),
        ])
    func refused(line: String, status: Int) throws {
        let response = try TestCallbackServer().ask(line)
        #expect(response.status == status)
        #expect(response.header("Location") == nil)
    }

    @Test("A picture on a page is not handed on")
    func embedded() throws {
        #expect(try TestCallbackServer().get("/__/auth/end-session?page=go", headers: ["Sec-Fetch-Dest: image"]).status == 403)
    }

    @Test("Who comes back with the right state is told that it is done")
    func back() throws {
        let response = try TestCallbackServer().get("/__/auth/signed-out?state=KNOWN-STATE", headers: ["Accept-Language: en"])
        #expect(response.status == 200)
        #expect(response.body.contains("You are signed out"))
    }
}
