import Testing

@testable import CallbackServer
@testable import TestHTTPClient

@Suite("To the provider's sign-out page, and back")
struct EndSessionTests {
    @Test("A browser is redirected without a referrer")
    func handedOn() throws {
        let server = try TestCallbackServer()
        let response = try server.get("/__/auth/end-session?page=go")
        #expect(response.status == 303)
        #expect(response.header("Location") == "https://op.example/bye?id_token_hint=a.b.c")
        #expect(response.header("Referrer-Policy") == "no-referrer")
        #expect(response.header("Cache-Control")?.contains("no-store") == true)
    }

    @Test(
        "An unknown page, or a request that is not a navigation, is not redirected",
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

    @Test("A request for an image is not redirected")
    func embedded() throws {
        #expect(try TestCallbackServer().get("/__/auth/end-session?page=go", headers: ["Sec-Fetch-Dest: image"]).status == 403)
    }

    @Test("A browser that returns with the right state is told that the session has ended")
    func back() throws {
        let response = try TestCallbackServer().get("/__/auth/signed-out?state=KNOWN-STATE", headers: ["Accept-Language: en"])
        #expect(response.status == 200)
        #expect(response.body.contains("You are signed out"))
    }
}
