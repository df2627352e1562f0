import Testing

@testable import CallbackServer
@testable import TestHTTPClient

@Suite("What programs verify the users' ID tokens with")
struct DocumentTests {
    private static let paths = ["/.well-known/openid-configuration", "/.well-known/jwks.json"]

    @Test("is JSON that may be kept for five minutes, by a program and by no page", arguments: paths)
    func answered(path: String) throws {
        let server = try TestCallbackServer()
        let response = try server.get(path, headers: ["Origin: https://example.com"])
        #expect(response.status == 200)
        #expect(response.header("Content-Type") == "application/json")
        expectSecurityHeaders(response, cacheControl: "public, max-age=300")
        #expect(response.body == (path.hasSuffix("jwks.json") ? #"{"keys":[]}"# : #"{"issuer":"http://127.0.0.1:7678"}"#))
    }

    @Test("is described without being sent for a HEAD request", arguments: paths)
    func head(path: String) throws {
        let server = try TestCallbackServer()
        let client = try RawClient(server.address)
        client.asksForHeads = true
        try client.send("HEAD \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n\r\n")
        let response = try #require(try client.response())
        #expect(response.status == 200)
        #expect(response.body.isEmpty)
        #expect(response.header("Content-Length") == String(try server.get(path).body.utf8.count))
    }

    @Test("is answered under every name of the server, and under no other", arguments: paths)
    func names(path: String) throws {
        let server = try TestCallbackServer()
        #expect(try server.ask("GET \(path)", host: "localhost:\(server.port)").status == 200)
        #expect(try server.ask("GET \(path)", host: "evil.example:\(server.port)").status == 421)
    }

    @Test("refuses every other method, saying which are right", arguments: paths)
    func methods(path: String) throws {
        let server = try TestCallbackServer()
        for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
            let response = try server.ask("\(method) \(path)")
            #expect(response.status == 405)
            #expect(response.header("Allow") == "GET, HEAD")
        }
    }

    @Test("is an error that passes while it cannot be read, which nobody keeps", arguments: paths)
    func unavailable(path: String) throws {
        let server = try TestCallbackServer(documents: RecordingDelegate.Documents(discovery: nil, keys: nil))
        let response = try server.get(path)
        #expect(response.status == 503)
        #expect(response.header("Content-Type") == "application/json")
        #expect(response.header("Retry-After") == "10")
        #expect(response.body.contains(#""error":"temporarily_unavailable""#))
        expectSecurityHeaders(response)
    }
}
