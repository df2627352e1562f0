import Testing

@Suite("Without a session")
struct StatelessTraces {
    @Test("each request carries its version, method, name and arguments in headers")
    func eachRequestCarriesVersion() {
        expect(
            #"""
            C> {"id":1,"method":"tools/list","params":{@}}
            > 1 first POST stateless tools/list =
            S< 1 200 application/json
            S< 1 {"id":1,"result":{"tools":[{"name":"t","inputSchema":{"properties":{"r":{"type":"string","x-mcp-header":"R"}}}}]}}
            S< 1 |
            < {"id":1,"result":{"tools":[{"name":"t","inputSchema":{"properties":{"r":{"type":"string","x-mcp-header":"R"}}}}]}}
            C> {"id":2,"method":"tools/call","params":{"name":"t","arguments":{"r":"é"},@}}
            > 2 POST stateless tools/call; Mcp-Name: t; Mcp-Param-R: =?base64?w6k=?= =
            C> {"id":3,"method":"resources/read","params":{"uri":"file:///a b",@}}
            > 3 POST stateless resources/read; Mcp-Name: file:///a b =
            C> {"id":4,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-01-01"}}}
            > 4 POST MCP-Protocol-Version: 2027-01-01; Mcp-Method: ping =
            """#)
    }

    @Test("the server's errors and results pass on as they are")
    func serverSErrorsResults() {
        expect(
            #"""
            C> {"id":1,"method":"tools/call","params":{"name":"good",@}}
            > 1 first POST stateless tools/call; Mcp-Name: good =
            S< 1 200 application/json
            S< 1 {"id":1,"result":{"resultType":"input_required"}}
            S< 1 |
            < {"id":1,"result":{"resultType":"input_required"}}
            C> {"id":1,"method":"x","params":{@}}
            > 2 POST stateless x =
            S< 2 404 application/json
            S< 2 {"id":1,"error":{"code":-32601,"message":"no"}}
            S< 2 |
            < {"id":1,"error":{"code":-32601,"message":"no"}}
            C> {"id":1,"method":"x","params":{@}}
            > 3 POST stateless x =
            S< 3 400 application/json
            S< 3 {"error":{"code":-32022,"message":"no","data":{"supported":["2027-01-01"]}}}
            S< 3 |
            < {"id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2027-01-01"]}}}
            """#)
    }

    @Test("a stream that breaks is an error and is not taken up again; responses of the client are dropped")
    func streamBreaksAnError() {
        expect(
            #"""
            C> {"id":1,"method":"subscriptions/listen","params":{@}}
            > 1 first POST stateless subscriptions/listen =
            S< 1 200 text/event-stream
            S< 1 id: a\ndata: {"method":"notifications/subscriptions/acknowledged"}\n\n
            < {"method":"notifications/subscriptions/acknowledged"}
            C> {"id":"q","result":{}}
            tell the client sent a response, which MCP 2026-07-28 has no place for; it was dropped
            C> {"method":"notifications/x"}
            > 2 POST stateless notifications/x =
            S< 1 |
            < {"id":1,"error":{"code":-33502,"message":"the server's stream of notices ended; listen again"}}
            C> {"id":2,"method":"x","params":{@}}
            > 3 POST stateless x =
            S< 3 200 text/event-stream
            S< 3 id: a\ndata: {"method":"notifications/progress"}\n\n
            < {"method":"notifications/progress"}
            S! 3 late interrupted cut
            < {"id":2,"error":{"code":-33502,"message":"cut; the request may have been carried out"}}
            C>|
            x 2
            end 0
            """#)
    }

    @Test("a probe at an older server gets that server's error, and a request the reason")
    func probeAtAnOlder() {
        expect(
            #"""
            C> {"id":1,"method":"server/discover","params":{@}}
            > 1 first POST stateless server/discover =
            S< 1 400 application/json
            S< 1 {"id":"server-error","error":{"code":-32600,"message":"Bad Request: Missing session ID"}}
            S< 1 |
            < {"id":1,"error":{"code":-32600,"message":"Bad Request: Missing session ID"}}
            C> {"id":2,"method":"tools/list","params":{@}}
            > 2 POST stateless tools/list =
            S< 2 400 application/json
            S< 2 {"id":"server-error","error":{"code":-32600,"message":"Bad Request: Missing session ID"}}
            S< 2 |
            < {"id":2,"error":{"code":-33505,"message":"the server refuses the request; it seems to speak only revisions of MCP up to 2025-11-25; this client uses 2026-07-28, and the bridge does not translate between them: set the client to the older revision"}}
            C> {"id":3,"method":"server/discover","params":{@}}
            > 3 POST stateless server/discover =
            S< 3 404
            S< 3 |
            < {"id":3,"error":{"code":-33504,"message":"the server refuses the request (404); it seems to speak only revisions of MCP up to 2025-11-25; this client uses 2026-07-28, and the bridge does not translate between them: set the client to the older revision"}}
            C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            > 4 POST =
            """#)
    }
}

@Suite("Tools")
struct ToolsTraces {
    @Test("that are invalid are left out of the list")
    func areInvalidAreLeft() {
        expect(
            #"""
            C> {"id":2,"method":"tools/list","params":{@}}
            > 1 first POST stateless tools/list =
            S< 1 200 application/json
            S< 1 {"id":2,"result":{"tools":[{"name":"bad","inputSchema":{"properties":{"r":{"type":"number","x-mcp-header":"R"}}}},{"name":"good","inputSchema":{}}]}}
            S< 1 |
            tell the tool bad was left out: x-mcp-header R is at a property whose type is not string, integer or boolean
            < {"id":2,"result":{"tools":[{"name":"good","inputSchema":{}}]}}
            """#)
    }

    @Test("are listed once, page by page, when a call lacked header fields")
    func areAskedForOnce() {
        expect(
            #"""
            C> {"id":1,"method":"tools/call","params":{"name":"t","arguments":{"r":"eu"},@}}
            > 1 first POST stateless tools/call; Mcp-Name: t =
            S< 1 400 application/json
            S< 1 {"error":{"code":-32020,"message":"differ"}}
            S< 1 |
            > 2 POST stateless tools/list {"id":"postern-0","method":"tools/list","params":{@}}
            C> {"id":"postern-0","method":"x","params":{@}}
            > 3 POST stateless x =
            S< 2 200 application/json
            S< 2 {"id":"postern-0","result":{"tools":[],"nextCursor":"c"}}
            S< 2 |
            > 4 POST stateless tools/list {"id":"postern-1","method":"tools/list","params":{@,"cursor":"c"}}
            S< 4 200 text/event-stream
            S< 4 data: {"id":"postern-1","result":{"tools":[{"name":"t","inputSchema":{"properties":{"r":{"type":"string","x-mcp-header":"R"}}}}]}}\n\n
            x 4
            > 5 POST stateless tools/call; Mcp-Name: t; Mcp-Param-R: eu {"id":1,"method":"tools/call","params":{"name":"t","arguments":{"r":"eu"},@}}
            S< 5 400 application/json
            S< 5 {"error":{"code":-32020,"message":"differ"}}
            S< 5 |
            < {"id":1,"error":{"code":-32020,"message":"differ"}}
            """#)
    }

    @Test("that cannot be listed leave the first refusal, unless the call was cancelled")
    func cannotBeListedLeave() {
        expect(
            #"""
            C> {"id":1,"method":"tools/call","params":{"name":"u",@}}
            > 1 first POST stateless tools/call; Mcp-Name: u =
            S< 1 400 application/json
            S< 1 {"id":1,"error":{"code":-32020,"message":"differ"}}
            S< 1 |
            > 2 POST stateless tools/list {"id":"postern-0","method":"tools/list","params":{@}}
            S! 2 unreachable no connection
            < {"id":1,"error":{"code":-32020,"message":"differ"}}
            C> {"id":1,"method":"tools/call","params":{"name":"u",@}}
            > 3 POST stateless tools/call; Mcp-Name: u =
            S< 3 400 application/json
            S< 3 {"id":1,"error":{"code":-32020,"message":"differ"}}
            S< 3 |
            > 4 POST stateless tools/list {"id":"postern-0","method":"tools/list","params":{@}}
            S< 4 404
            S< 4 |
            < {"id":1,"error":{"code":-32020,"message":"differ"}}
            C> {"id":1,"method":"tools/call","params":{"name":"u",@}}
            > 5 POST stateless tools/call; Mcp-Name: u =
            S< 5 400 application/json
            S< 5 {"id":1,"error":{"code":-32020,"message":"differ"}}
            S< 5 |
            > 6 POST stateless tools/list {"id":"postern-0","method":"tools/list","params":{@}}
            C> {"method":"notifications/cancelled","params":{"requestId":1}}
            x 6
            C> {"id":1,"method":"x","params":{@}}
            > 7 POST stateless x =
            """#)
    }
}
