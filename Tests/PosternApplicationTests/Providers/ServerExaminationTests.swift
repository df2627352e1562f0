import PosternApplication
import StrictJSON
import Testing

@Suite("The findings about an MCP server", .serialized)
struct ServerExaminationTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var title: String
        var level: String
        var words: String
        var prepare: @Sendable @DaemonActor (ScriptedMCPServer, ScriptedProvider) -> Void = { _, _ in }

        init(
            _ description: String, _ level: String, _ title: String, _ words: String,
            prepare: @escaping @Sendable @DaemonActor (ScriptedMCPServer, ScriptedProvider) -> Void = { _, _ in }
        ) {
            (testDescription, self.level, self.title, self.words, self.prepare) = (description, level, title, words, prepare)
        }
    }

    private static let rows = [
        Row("401", "ok", "server", "answers 401"),
        Row("no token needed", "warn", "server", "answers a request without a token") { server, _ in server.status = 200 },
        Row("another status", "warn", "server", "answers 404, and not 401") { server, _ in server.status = 404 },
        Row("one issuer", "ok", "issuer", "https://as.example"),
        Row("several issuers", "warn", "issuer", "https://as.example is the first of several; https://b.example would do as well") { server, _ in
            server[resource: "authorization_servers"] = ["https://as.example", "https://b.example"]
        },
        Row("no iss", "warn", "iss", "answers may not name the issuer"),
        Row("iss", "ok", "iss", "RFC 9207") { server, _ in server[issuer: "authorization_response_iss_parameter_supported"] = true },
        Row("another origin's page", "warn", "page", "https://login.example") { server, _ in
            server[issuer: "authorization_endpoint"] = "https://login.example/authorize"
        },
        Row("public addresses", "ok", "addresses", "public"),
        Row("a proxy", "warn", "addresses", "a proxy looks the names up") { _, provider in provider.usesProxy = true },
    ]

    @Test("say what the server and its issuer do", arguments: rows)
    func findings(_ row: Row) throws {
        let server = ScriptedMCPServer()
        let daemon = try TestApplication(mcp: server, "")
        daemon.executor.isolated { row.prepare(server, daemon.provider) }
        let reply = daemon.call("ResolveResource", ["url": "https://mcp.example/mcp"])
        let findings = (reply["findings"]?.arrayValue ?? []).compactMap(\.objectValue).filter { $0["title"] == .string(row.title) }
        #expect(findings.count == 1, "\(reply.message)")
        #expect(findings.first?["level"] == .string(row.level))
        #expect(findings.first?["detail"]?.stringValue?.contains(row.words) == true, "\(findings)")
    }

    @Test("have none about the page where it is the issuer's own")
    func ownPage() throws {
        let reply = try TestApplication(mcp: ScriptedMCPServer(), "").call("ResolveResource", ["url": "https://mcp.example/mcp"])
        let titles = (reply["findings"]?.arrayValue ?? []).compactMap { $0.objectValue?["title"]?.stringValue }
        #expect(titles.contains("issuer") && !titles.contains("page"), "\(titles)")
    }
}
