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
    S< 3 |
    """

/// A trace that says what happens: it is what it would be if only the events were given.
func expect(_ trace: String, after before: String = "", at location: SourceLocation = #_sourceLocation) {
    #expect(Trace.run(trace, after: before) == trace, sourceLocation: location)
}

@Suite("A session begins")
struct SessionBeginTraces {
    @Test("with the answer to initialize, then notifications/initialized, then the server's stream")
    func answerInitializeThenNotifications() {
        expect(
            #"""
            C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            > 1 first POST =
            C> {"method":"notifications/initialized"}
            C> {"id":1,"method":"tools/list"}
            S< 1 200 text/event-stream; Mcp-Session-Id: s1
            S< 1 data: {"id":0,"result":{"protocolVersion":"2025-11-25"}}\n\n
            < {"id":0,"result":{"protocolVersion":"2025-11-25"}}
            > 2 POST session s1 {"method":"notifications/initialized"}
            S< 1 |
            S< 2 202
            S< 2 |
            > 3 GET session s1
            > 4 POST session s1 =
            S< 3 405
            S< 4 200 application/json
            S< 4 {"id":1,"result":{"tools":[]}}
            S< 4 |
            < {"id":1,"result":{"tools":[]}}
            C>|
            x 3
            > 5 DELETE session s1
            end 0
            """#)
    }

    @Test("without a session ID and a version in the headers, where the revision has none")
    func withoutSessionIdVersion() {
        expect(
            #"""
            C> {"id":"a","method":"initialize","params":{"protocolVersion":"2025-03-26"}}
            > 1 first POST =
            S< 1 200 application/json
            S< 1 {"id":"a","result":{"protocolVersion":"2025-03-26"}}
            S< 1 |
            < {"id":"a","result":{"protocolVersion":"2025-03-26"}}
            C> {"id":1,"method":"ping"}
            > 2 POST =
            C>|
            x 2
            end 0
            """#)
    }

    @Test("never, if the server refuses; what was sent in between is refused, and what was cancelled is forgotten")
    func neverIfServerRefuses() {
        expect(
            #"""
            C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            > 1 first POST =
            C> {"id":1,"method":"tools/list"}
            C> {"id":2,"method":"tools/list"}
            C> {"id":3,"method":"initialize"}
            < {"id":3,"error":{"code":-32600,"message":"another initialize has no answer yet"}}
            C> {"method":"notifications/cancelled","params":{"requestId":2}}
            S< 1 200 application/json
            S< 1 {"id":0,"error":{"code":-32602,"message":"no"}}
            S< 1 |
            < {"id":0,"error":{"code":-32602,"message":"no"}}
            < {"id":1,"error":{"code":-33505,"message":"the session did not begin: the server refused to initialize"}}
            C> {"id":2,"method":"ping"}
            > 2 POST =
            """#)
    }

    @Test("with the same initialize once more, after a person has signed in")
    func sameInitializeOnceMore() {
        expect(
            #"""
            C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            > 1 first POST =
            S! 1 personNeeded sign in with `postern sign-in acme`
            < {"id":0,"error":{"code":-33401,"message":"sign in with `postern sign-in acme`"}}
            C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            > 2 POST =
            S< 2 200 application/json; Mcp-Session-Id: s1
            S< 2 {"id":0,"result":{"protocolVersion":"2025-11-25"}}
            S< 2 |
            < {"id":0,"result":{"protocolVersion":"2025-11-25"}}
            C> {"id":1,"method":"ping"}
            > 3 POST session s1 =
            """#)
    }

    @Test("not with a session ID or a version that no header can carry")
    func notSessionIdOr() {
        expect(
            #"""
            C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            > 1 first POST =
            S< 1 200 application/json; Mcp-Session-Id: a b
            x 1
            < {"id":0,"error":{"code":-33502,"message":"the server gave a session ID that no header can carry"}}
            C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            > 2 POST =
            S< 2 200 application/json; Mcp-Session-Id: a; Mcp-Session-Id: b
            x 2
            < {"id":0,"error":{"code":-33502,"message":"the server gave a session ID that no header can carry"}}
            C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            > 3 POST =
            S< 3 200 application/json; Mcp-Session-Id: s1
            S< 3 {"id":0,"result":{"protocolVersion":"é"}}
            S< 3 |
            < {"id":0,"result":{"protocolVersion":"é"}}
            C> {"id":1,"method":"ping"}
            > 4 POST Mcp-Session-Id: s1 =
            """#)
    }

    @Test("again when the client initializes again, and the earlier session is ended")
    func anewWhereClientInitializes() {
        expect(
            #"""
            C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            > 4 DELETE session s1
            > 5 POST =
            S< 5 200 application/json; Mcp-Session-Id: s2
            S< 5 {"id":0,"result":{"protocolVersion":"2025-11-25"}}
            S< 5 |
            < {"id":0,"result":{"protocolVersion":"2025-11-25"}}
            C> {"method":"notifications/initialized"}
            > 6 POST session s2 =
            S< 6 202
            S< 6 |
            > 7 GET session s2
            C> {"method":"notifications/initialized"}
            > 8 POST session s2 =
            """#, after: begun)
    }

    @Test("not over the old transport")
    func notOverOldTransport() {
        expect(
            #"""
            C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            > 1 first POST =
            S< 1 405
            S< 1 |
            < {"id":0,"error":{"code":-33504,"message":"the server does not offer Streamable HTTP at this URL (405); it may speak the old HTTP+SSE transport, which is not supported: look for another URL of the server, often one that ends in /mcp"}}
            C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            > 2 POST =
            C> {"id":1,"method":"ping"}
            S< 2 200 text/event-stream
            S< 2 event: endpoint\ndata: /messages\n\n
            x 2
            < {"id":0,"error":{"code":-33505,"message":"the server speaks the old HTTP+SSE transport, which is not supported; look for another URL of the server, often one that ends in /mcp"}}
            < {"id":1,"error":{"code":-33505,"message":"the session did not begin: the server speaks the old HTTP+SSE transport, which is not supported; look for another URL of the server, often one that ends in /mcp"}}
            """#)
    }

    @Test("not at a server without sessions, whose own error is passed on where it says that")
    func notAtServerWithout() {
        expect(
            #"""
            C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            > 1 first POST =
            S< 1 400 application/json
            S< 1 {"id":0,"error":{"code":-32020,"message":"Mcp-Method is missing"}}
            S< 1 |
            < {"id":0,"error":{"code":-33505,"message":"the server speaks MCP 2026-07-28 or later, without sessions; this client began one, as in revisions up to 2025-11-25, and the bridge does not translate between them: use a newer client"}}
            C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            > 2 POST =
            S< 2 404 application/json
            S< 2 {"id":0,"error":{"code":-32601,"message":"no such method"}}
            S< 2 |
            < {"id":0,"error":{"code":-33505,"message":"the server speaks MCP 2026-07-28 or later, without sessions; this client began one, as in revisions up to 2025-11-25, and the bridge does not translate between them: use a newer client"}}
            C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            > 3 POST =
            S< 3 400 application/json
            S< 3 {"id":0,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}}
            S< 3 |
            < {"id":0,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}}
            """#)
    }
}
