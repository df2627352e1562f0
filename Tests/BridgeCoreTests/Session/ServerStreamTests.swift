import Testing

@Suite("The server's own stream")
struct StreamTraces {
    @Test("is resumed with growing pauses, and with the session")
    func takenUpAgainGrowing() {
        expect(
            #"""
            C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            > 1 first POST =
            S< 1 200 application/json; Mcp-Session-Id: s1
            S< 1 {"id":0,"result":{"protocolVersion":"2025-11-25"}}
            S< 1 |
            < {"id":0,"result":{"protocolVersion":"2025-11-25"}}
            C> {"method":"notifications/initialized"}
            > 2 POST session s1 =
            S< 2 202
            S< 2 |
            > 3 GET session s1
            S< 3 200 text/event-stream
            S< 3 id: 7\ndata: {"id":"s","method":"ping"}\n\n
            < {"id":"s","method":"ping"}
            C> {"id":"s","result":{}}
            > 4 POST session s1 =
            S< 4 202
            S< 4 |
            S< 3 |
            wait 3 1000
            T> 3
            > 5 GET session s1; Last-Event-ID: 7
            S! 5 unreachable no connection
            wait 5 2000
            T> 5
            > 6 GET session s1; Last-Event-ID: 7
            S< 6 503 text/plain; Retry-After: 30
            wait 6 30000
            S< 6 |
            T> 6
            > 7 GET session s1; Last-Event-ID: 7
            S< 7 409
            wait 7 8000
            S< 7 |
            T> 7
            > 8 GET session s1; Last-Event-ID: 7
            S< 8 404
            > 9 POST {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            S< 8 |
            S< 9 200 application/json; Mcp-Session-Id: s2
            S< 9 {"id":0,"result":{"protocolVersion":"2025-11-25"}}
            S< 9 |
            > 10 POST session s2 {"method":"notifications/initialized"}
            S< 10 202
            S< 10 |
            > 11 GET session s2
            C>|
            x 11
            > 12 DELETE session s2
            end 0
            """#)
    }

    @Test("has no answers to requests, and none at a server that refuses it")
    func hasNoAnswersRequests() {
        expect(
            #"""
            C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            > 1 first POST =
            S< 1 200 application/json
            S< 1 {"id":0,"result":{"protocolVersion":"2025-11-25"}}
            S< 1 |
            < {"id":0,"result":{"protocolVersion":"2025-11-25"}}
            C> {"method":"notifications/initialized"}
            > 2 POST MCP-Protocol-Version: 2025-11-25 =
            S< 2 202
            S< 2 |
            > 3 GET MCP-Protocol-Version: 2025-11-25
            C> {"id":1,"method":"ping"}
            > 4 POST MCP-Protocol-Version: 2025-11-25 =
            S< 3 200 text/event-stream
            S< 3 data: {"id":1,"result":{}}\n\n
            tell the server sent an answer that no request waits for; it was dropped
            S< 3 event: endpoint\ndata: /messages\n\n
            tell the server speaks the old HTTP+SSE transport, which is not supported; look for another URL of the server, often one that ends in /mcp
            x 3
            S< 4 200 application/json
            S< 4 {"id":1,"result":{}}
            S< 4 |
            < {"id":1,"result":{}}
            """#)
    }

    @Test("waits for a person until a request succeeds")
    func waitsForPersonUntil() {
        expect(
            #"""
            C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            > 1 first POST =
            S< 1 200 application/json
            S< 1 {"id":0,"result":{"protocolVersion":"2025-11-25"}}
            S< 1 |
            < {"id":0,"result":{"protocolVersion":"2025-11-25"}}
            C> {"method":"notifications/initialized"}
            > 2 POST MCP-Protocol-Version: 2025-11-25 =
            S< 2 202
            S< 2 |
            > 3 GET MCP-Protocol-Version: 2025-11-25
            S! 3 personNeeded sign in
            C> {"id":1,"method":"ping"}
            > 4 POST MCP-Protocol-Version: 2025-11-25 =
            S< 4 200 application/json
            > 5 GET MCP-Protocol-Version: 2025-11-25
            """#)
    }
}

@Suite("A batch")
struct BatchTraces {
    @Test("is passed on only in revision 2025-03-26")
    func passesAlone() {
        expect(
            #"""
            C> {"id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}
            > 1 first POST =
            C> [{"id":5,"method":"initialize"}]
            S< 1 200 application/json; Mcp-Session-Id: s1
            S< 1 {"id":0,"result":{"protocolVersion":"2025-03-26"}}
            S< 1 |
            < {"id":0,"result":{"protocolVersion":"2025-03-26"}}
            < {"id":5,"error":{"code":-32600,"message":"initialize must not be part of an array"}}
            C> [{"id":1,"method":"x"},{"id":2,"method":"x"},{"method":"notifications/x"}]
            > 2 POST Mcp-Session-Id: s1 =
            C> {"id":2,"method":"x"}
            < {"id":2,"error":{"code":-32600,"message":"another request with the same id has no answer yet"}}
            S< 2 200 text/event-stream
            S< 2 data: [{"id":2,"result":{}},{"method":"notifications/y"}]\n\n
            < [{"id":2,"result":{}},{"method":"notifications/y"}]
            S< 2 data: [{"id":1,"result":{}},{"id":3,"result":{}}]\n\n
            tell the server sent an answer that no request waits for; it was dropped
            S! 2 late interrupted cut
            < {"id":1,"error":{"code":-33502,"message":"cut; the request may have been carried out"}}
            C> [{"method":"notifications/x"},{"id":"s","result":{}}]
            > 3 POST Mcp-Session-Id: s1 =
            S< 3 202
            S< 3 |
            C> [{"id":1,"method":"x"},{"id":1,"method":"x"}]
            < {"id":1,"error":{"code":-32600,"message":"another request with the same id has no answer yet"}}
            < {"id":1,"error":{"code":-32600,"message":"another request with the same id has no answer yet"}}
            """#)
    }

    @Test("is refused in every other revision")
    func refusedEveryOtherRevision() {
        expect(
            #"""
            C> [{"id":1,"method":"ping"},{"id":2,"method":"ping"}]
            < {"id":1,"error":{"code":-32600,"message":"arrays of messages are part of MCP 2025-03-26 alone, which this session does not use"}}
            < {"id":2,"error":{"code":-32600,"message":"arrays of messages are part of MCP 2025-03-26 alone, which this session does not use"}}
            C> [{"method":"x"}]
            < {"id":null,"error":{"code":-32600,"message":"arrays of messages are part of MCP 2025-03-26 alone, which this session does not use"}}
            C> {"id":1,"method":"ping"}
            > 4 POST session s1 =
            S< 4 200 application/json
            S< 4 [{"id":1,"result":{}}]
            S< 4 |
            tell the server sent an array of messages, which this session does not use; it was dropped
            < {"id":1,"error":{"code":-33502,"message":"the server's answer is not a message of MCP that answers the request; the request may have been carried out"}}
            """#, after: begun)
    }
}
