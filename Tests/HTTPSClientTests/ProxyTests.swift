import HTTPSClient
import NIOConcurrencyHelpers
import PosternCore
import TestAuthority
import Testing

@Suite("Requests by way of a proxy")
struct ProxyTests {
    let authority: TestAuthority

    init() throws { authority = try TLSTests.authority.get() }

    /// A name that no name server knows: only the proxy can have reached it.
    private static let request = ProviderRequest(url: "https://elsewhere.example/token?code=secret")

    @Test("the proxy is asked for a tunnel, with our credentials, and TLS goes through it")
    func tunnel() async throws {
        let target = try ScriptedTLSServer(
            authority.certificate(.wrongHost), answer: Array("HTTP/1.1 200 OK\r\n\r\nhello".utf8), ending: .closeNotify)
        let asked = NIOLockedValueBox("")
        let proxy = try RawServer { connection in
            let head = connection.readHead()
            asked.withLockedValue { $0 = head }
            connection.write("HTTP/1.0 200 Connection established\r\nVia: x\r\n\r\n")
            connection.splice(toPort: target.port)
        }
        let client = HTTPSClient.make(environment: ["HTTPS_PROXY": "http://user:p%40ss@127.0.0.1:\(proxy.port)"])
        #expect(await client.outcome(Self.request, caFile: authority.caFile) == .answer(200, "hello"))
        let lines = asked.withLockedValue { $0 }.components(by: "\r\n")
        #expect(
            lines == [
                "CONNECT elsewhere.example:443 HTTP/1.1", "Host: elsewhere.example:443", "User-Agent: Postern/test",
                "Proxy-Authorization: Basic dXNlcjpwQHNz", "", "",
            ])
    }

    @Test("the certificate is checked through the tunnel too")
    func tunnelIsNoTrust() async throws {
        let target = try ScriptedTLSServer(authority.good(), answer: [], ending: .closeNotify)
        let proxy = try RawServer { connection in
            connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            connection.splice(toPort: target.port)
        }
        let client = HTTPSClient.make(environment: ["https_proxy": "127.0.0.1:\(proxy.port)"])
        let error = await client.error(Self.request, caFile: authority.caFile)
        guard case .tls(let reason) = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.code == .hostNameMismatch)
        #expect(error?.mayHaveReachedServer == false)
    }

    static let refusals: [(answer: String, sentence: String)] = [
        ("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", "it answered with status 403"),
        ("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", "it asks for a user and password (407)"),
        ("HTTP/1.1 302 Found\r\nLocation: http://portal.example/\r\n\r\n", "it answered with status 302"),
        ("HTTP/1.1 200 OK\r\n\r\nextra", "it sent its own data"),
        ("HTTP/2.0 200 OK\r\n\r\n", "its answer is not HTTP"),
        ("garbage\r\n\r\n", "its answer is not HTTP"),
        ("HTTP/1.1 200", "it closed the connection"),
        ("", "it closed the connection"),
        ("HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 10_000), "its answer has no end"),
    ]

    @Test("a proxy that does not connect is named, with its reason", arguments: refusals)
    func refusal(answer: String, sentence: String) async throws {
        let proxy = try RawServer { connection in
            connection.readHead()
            connection.write(answer)
        }
        let client = HTTPSClient.make(environment: ["https_proxy": "http://user:secret@127.0.0.1:\(proxy.port)/"])
        let error = await client.error(Self.request)
        #expect(error?.kind == .proxy)
        #expect(error?.mayHaveReachedServer == false)
        let expected = "'elsewhere.example' cannot be reached by way of the proxy '127.0.0.1': \(sentence)"
        #expect(error?.description.hasPrefix(expected) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("secret") == false)
    }

    @Test("a proxy that never answers is given up")
    func silence() async throws {
        let proxy = try RawServer { $0.drain() }
        let client = HTTPSClient.make(environment: ["https_proxy": "127.0.0.1:\(proxy.port)"]) {
            $0.connectTimeout = .milliseconds(200)
        }
        #expect(await client.outcome(Self.request) == .failure(.connectTimeout, mayHaveReachedServer: false))
    }

    @Test("a proxy where nobody listens is named")
    func closedProxy() async throws {
        let port = try RawServer.freePort()
        let error = await HTTPSClient.make(environment: ["https_proxy": "127.0.0.1:\(port)"]).error(Self.request)
        #expect(error?.kind == .proxy)
        #expect(
            error?.description
                == "'elsewhere.example' cannot be reached by way of the proxy '127.0.0.1' at port \(port): Connection refused")
    }

    static let unusable = [
        "socks5://127.0.0.1:1080", "https://127.0.0.1:3128", "http://", "http://user:secret@", "http://proxy.example:99999",
        "http://us%er:secret@proxy.example", "http://proxy.example/secret", "http://a b/", "http://127.1:3128",
    ]

    @Test("a setting that cannot be used fails the request instead of being passed by", arguments: unusable)
    func unusableSetting(_ value: String) async {
        let error = await HTTPSClient.make(environment: ["HTTPS_PROXY": value]).error(Self.request)
        #expect(error?.kind == .proxy)
        #expect(error?.mayHaveReachedServer == false)
        #expect(error?.description.contains("HTTPS_PROXY") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test("this machine's own addresses are never asked for by way of a proxy", arguments: ["http://localhost", "http://127.0.0.1"])
    func loopback(_ origin: String) async throws {
        let server = try RawServer(answer: Array("HTTP/1.1 200 OK\r\n\r\nhello".utf8))
        let client = HTTPSClient.make(environment: ["https_proxy": "http://proxy.invalid:1", "http_proxy": "http://proxy.invalid:1"])
        #expect(await client.outcome(ProviderRequest(url: "\(origin):\(server.port)/")) == .answer(200, "hello"))
    }
}
