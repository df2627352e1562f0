import Testing

/// A session of 2025-11-25 at a server without a stream of its own. Exchanges 1 to 3 are used.
let begun = """
    C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
    S< 1 200 application/json; Mcp-Session-Id: s1
    S< 1 {"id":0,"result":{"protocolVersion":"2025-11-25"}}
    S< 1 |
    C> {"method":"notifications/initialized"}
    S< 2 202
    S< 2 |
    S< 3 405
    """

func expect(_ trace: String, after before: String = "", at location: SourceLocation = #_sourceLocation) {
    #expect(Trace.run(trace, after: before) == trace, sourceLocation: location)
}

@Suite("A session begins")
struct SessionBeginTests {
    @Test("with the answer to initialize, then notifications/initialized, then the server's stream")
    func begins() {
        expect(
            """
            C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            > 1 first POST =
            C> {"method":"notifications/initialized"}
            C> {"id":1,"method":"tools/list"}
            S< 1 200 text/event-stream; Mcp-Session-Id: s1
            S< 1 data: {"id":0,"result":{"protocolVersion":"2025-11-25"}}\\n\\n
            < {"id":0,"result":{"protocolVersion":"2025-11-25"}}
            > 2 POST MCP-Protocol-Version: 2025-11-25; Mcp-Session-Id: s1 {"method":"notifications/initialized"}
            S< 1 |
            S< 2 202
            S< 2 |
            > 3 GET MCP-Protocol-Version: 2025-11-25; Mcp-Session-Id: s1
            > 4 POST MCP-Protocol-Version: 2025-11-25; Mcp-Session-Id: s1 =
            S< 3 405
            x 3
            S< 4 200 application/json
            S< 4 {"id":1,"result":{"tools":[]}}
            S< 4 |
            < {"id":1,"result":{"tools":[]}}
            C>|
            > 5 DELETE MCP-Protocol-Version: 2025-11-25; Mcp-Session-Id: s1
            end 0
            """)
    }

    @Test("without a session ID and a version in the headers, where the revision has none")
    func older() {
        expect(
            """
            C> {"id":"a","method":"initialize","params":{"protocolVersion":"2025-03-26"}}
            > 1 first POST =
            S< 1 200 application/json
            S< 1 {"id":"a","result":{"protocolVersion":"2025-03-26"}}
            S< 1 |
            < {"id":"a","result":{"protocolVersion":"2025-03-26"}}
            C> [{"id":1,"method":"ping"},{"id":2,"method":"ping"}]
            > 2 POST =
            S< 2 200 application/json
            S< 2 [{"id":2,"result":{}},{"id":1,"result":{}}]
            S< 2 |
            < [{"id":2,"result":{}},{"id":1,"result":{}}]
            C>|
            end 0
            """)
    }
}

@Suite("Without a session")
struct StatelessTests {
    @Test("each request carries its version, method, name and arguments in headers")
    func headers() {
        expect(
            """
            C> {"id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
            > 1 first POST MCP-Protocol-Version: 2026-07-28; Mcp-Method: tools/list =
            S< 1 200 application/json
            S< 1 {"id":1,"result":{"tools":[{"name":"t","inputSchema":{"properties":{"r":{"type":"string","x-mcp-header":"R"}}}}]}}
            S< 1 |
            < {"id":1,"result":{"tools":[{"name":"t","inputSchema":{"properties":{"r":{"type":"string","x-mcp-header":"R"}}}}]}}
            C> {"id":2,"method":"tools/call","params":{"name":"t","arguments":{"r":"é"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
            > 2 POST MCP-Protocol-Version: 2026-07-28; Mcp-Method: tools/call; Mcp-Name: t; Mcp-Param-R: =?base64?w6k=?= =
            C> {"method":"notifications/cancelled","params":{"requestId":2}}
            x 2
            C>|
            end 0
            """)
    }
}
