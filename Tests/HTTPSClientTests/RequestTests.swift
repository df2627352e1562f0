import HTTPSClient
import NIOConcurrencyHelpers
import PosternCore
import Testing

@Suite("Requests as they are sent")
struct RequestTests {
    /// What the server saw of one request.
    private func sent(_ change: (inout ProviderRequest) -> Void) async throws -> [String] {
        let seen = NIOLockedValueBox("")
        let server = try RawServer { connection in
            let request = connection.readRequest()
            seen.withLockedValue { $0 = request }
            connection.write("HTTP/1.1 204 No Content\r\n\r\n")
        }
        var request = ProviderRequest(url: "http://127.0.0.1:\(server.port)")
        change(&request)
        _ = try await HTTPSClient.make().send(request, caFile: nil).get()
        return seen.withLockedValue { $0 }.replacing(":\(server.port)", with: ":PORT").components(by: "\r\n")
    }

    @Test("a request without more gets what every request needs")
    func plain() async throws {
        let lines = try await sent { _ in }
        #expect(lines == ["GET / HTTP/1.1", "Host: 127.0.0.1:PORT", "Connection: close", "User-Agent: Postern/test", "", ""])
    }

    @Test("path and query are sent as they stand")
    func target() async throws {
        let lines = try await sent { $0.url += "/a%2Fb//c?x=%20&y=1" }
        #expect(lines.first == "GET /a%2Fb//c?x=%20&y=1 HTTP/1.1")
    }

    @Test("a URL may be as long as one that a token is for")
    func longest() async throws {
        let path = "/" + String(repeating: "a", count: 8100)
        #expect(try await sent { $0.url += path }.first == "GET \(path) HTTP/1.1")
    }

    @Test("a query without a path has a slash before it")
    func queryAlone() async throws {
        let lines = try await sent { $0.url += "?x=1" }
        #expect(lines.first == "GET /?x=1 HTTP/1.1")
    }

    @Test("headers and body are sent, with the body's length")
    func body() async throws {
        let lines = try await sent {
            $0.method = "POST"
            $0.headers = [("Accept", "application/json"), ("user-agent", "mine")]
            $0.body = Array("code=1&x=2".utf8)
        }
        #expect(lines.first == "POST / HTTP/1.1")
        #expect(lines.contains("Accept: application/json"))
        #expect(lines.contains("user-agent: mine"))
        #expect(!lines.contains("User-Agent: Postern/test"))
        #expect(lines.contains("Content-Length: 10"))
        #expect(lines.last == "code=1&x=2")
    }

    @Test("an empty body of a POST has a length too, that of a DELETE has none")
    func emptyBody() async throws {
        #expect(try await sent { $0.method = "POST" }.contains("Content-Length: 0"))
        let lines = try await sent { $0.method = "DELETE" }
        #expect(lines.first == "DELETE / HTTP/1.1")
        #expect(!lines.contains { $0.lowercased().hasPrefix("content-length") || $0.lowercased().hasPrefix("transfer-encoding") })
    }

    static let unsafe: [(name: String, request: ProviderRequest, kind: HTTPSClientError.Kind)] = [
        ("CR LF in the path", ProviderRequest(url: "https://example.com/a\r\nX: 1"), .invalidURL),
        ("LF in the query", ProviderRequest(url: "https://example.com/?a=\n"), .invalidURL),
        ("NUL", ProviderRequest(url: "https://example.com/\u{0}"), .invalidURL),
        ("a space", ProviderRequest(url: "https://example.com/a b"), .invalidURL),
        ("no URL", ProviderRequest(url: ""), .invalidURL),
        ("a URL of more than 8 KiB", ProviderRequest(url: "https://example.com/" + String(repeating: "a", count: 8173)), .invalidURL),
        ("a relative URL", ProviderRequest(url: "/token"), .invalidURL),
        ("a file", ProviderRequest(url: "file:///etc/passwd"), .invalidURL),
        ("a user", ProviderRequest(url: "https://user:secret@example.com/"), .invalidURL),
        ("a fragment", ProviderRequest(url: "https://example.com/#a"), .invalidURL),
        ("an address in short", ProviderRequest(url: "https://127.1/"), .invalidURL),
        ("port 0", ProviderRequest(url: "https://example.com:0/"), .invalidURL),
        ("port 65536", ProviderRequest(url: "https://example.com:65536/"), .invalidURL),
        ("plain http elsewhere", ProviderRequest(url: "http://example.com/"), .plainHTTPRefused),
        ("plain http to a name like localhost", ProviderRequest(url: "http://localhost.example.com/"), .plainHTTPRefused),
        ("plain http to a private address", ProviderRequest(url: "http://192.168.1.1/"), .plainHTTPRefused),
        ("no method", ProviderRequest(method: "", url: "https://example.com/"), .invalidRequest),
        ("CR LF in the method", ProviderRequest(method: "GET / HTTP/1.1\r\nX:", url: "https://example.com/"), .invalidRequest),
        ("CR LF in a header", ProviderRequest(url: "https://example.com/", headers: [("X", "1\r\nY: secret")]), .invalidRequest),
        ("LF in a header", ProviderRequest(url: "https://example.com/", headers: [("X", "1\nY: secret")]), .invalidRequest),
        ("NUL in a header", ProviderRequest(url: "https://example.com/", headers: [("X", "secret\u{0}")]), .invalidRequest),
        ("a colon in a name", ProviderRequest(url: "https://example.com/", headers: [("X:Y", "1")]), .invalidRequest),
        ("no name", ProviderRequest(url: "https://example.com/", headers: [("", "1")]), .invalidRequest),
        ("a length of its own", ProviderRequest(url: "https://example.com/", headers: [("content-length", "7")]), .invalidRequest),
        ("a host of its own", ProviderRequest(url: "https://example.com/", headers: [("HOST", "a")]), .invalidRequest),
        ("a coding of its own", ProviderRequest(url: "https://example.com/", headers: [("Transfer-Encoding", "chunked")]), .invalidRequest),
    ]

    @Test("what could become another request is refused before a connection is opened", arguments: unsafe.indices)
    func injection(_ index: Int) async {
        let row = Self.unsafe[index]
        let error = await HTTPSClient.make().error(row.request)
        #expect(error?.kind == row.kind, "\(row.name)")
        #expect(error?.mayHaveReachedServer == false)
        #expect(error?.description.contains("secret") == false)
    }
}
