import Testing

@Suite("An answer")
struct AnswerTraces {
    @Test("passes on from 400 and 404 if it is an error of JSON-RPC, with the request's id")
    func passesOnFromIf() {
        expect(
            #"""
            C> {"id":1,"method":"tools/call"}
            > 4 POST session s1 =
            S< 4 400 application/json
            S< 4 {"id":null,"error":{"code":-32602,"message":"no"}}
            S< 4 |
            < {"id":1,"error":{"code":-32602,"message":"no"}}
            C> {"id":2,"method":"tools/call"}
            > 5 POST session s1 =
            S< 5 404 application/json
            S< 5 {"id":"server-error","error":{"code":-32601,"message":"no"}}
            S< 5 |
            < {"id":2,"error":{"code":-32601,"message":"no"}}
            C> {"id":"3","method":"tools/call"}
            > 6 POST session s1 =
            S< 6 400 application/json
            S< 6 {"error":{"code":-32602,\n"message":"no"}}
            S< 6 |
            < {"id":"3","error":{"code":-32602, "message":"no"}}
            """#, after: begun)
    }

    @Test("is asked for again below the URL where the server moved it, at most three times")
    func askedForAgainBelow() {
        expect(
            #"""
            C> {"id":1,"method":"ping"}
            > 4 POST session s1 =
            S< 4 307 text/plain; Location: /mcp/
            > 5 POST session s1 =
            S< 4 |
            S< 5 308 text/plain; Location: https://mcp.example.com/mcp/a
            > 6 POST session s1 =
            S< 6 307 text/plain; Location: https://mcp.example.com/mcp/b
            > 7 POST session s1 =
            S< 7 307 text/plain; Location: https://mcp.example.com/mcp/c
            S< 7 |
            < {"id":1,"error":{"code":-33504,"message":"the server redirects (307) to https://mcp.example.com/mcp/c; only a redirect to below the configured URL is followed: configure the new URL"}}
            """#, after: begun)
    }

    @Test("is not fetched from elsewhere")
    func notFetchedFromElsewhere() {
        expect(
            #"""
            C> {"id":1,"method":"ping"}
            > 4 POST session s1 =
            S< 4 307 text/plain; Location: https://mcp.example.com/mcp/../x
            S< 4 |
            < {"id":1,"error":{"code":-33504,"message":"the server redirects (307) to https://mcp.example.com/mcp/../x; only a redirect to below the configured URL is followed: configure the new URL"}}
            C> {"id":1,"method":"ping"}
            > 5 POST session s1 =
            S< 5 307 text/plain; Location: https://mcp.example.com/mcpx/
            S< 5 |
            < {"id":1,"error":{"code":-33504,"message":"the server redirects (307) to https://mcp.example.com/mcpx/; only a redirect to below the configured URL is followed: configure the new URL"}}
            C> {"id":1,"method":"ping"}
            > 6 POST session s1 =
            S< 6 308 text/plain; Location: //bank.example/mcp/
            S< 6 |
            < {"id":1,"error":{"code":-33504,"message":"the server redirects (308) to //bank.example/mcp/; only a redirect to below the configured URL is followed: configure the new URL"}}
            C> {"id":1,"method":"ping"}
            > 7 POST session s1 =
            S< 7 302 text/plain; Location: https://mcp.example.com/mcp/x?secret
            S< 7 |
            < {"id":1,"error":{"code":-33504,"message":"the server redirects (302) to https://mcp.example.com/mcp/x; only a redirect to below the configured URL is followed: configure the new URL"}}
            C> {"id":1,"method":"ping"}
            > 8 POST session s1 =
            S< 8 307 text/plain; Location: https://mcp.example.com/mcp/%2E%2e/x
            S< 8 |
            < {"id":1,"error":{"code":-33504,"message":"the server redirects (307) to https://mcp.example.com/mcp/%2E%2e/x; only a redirect to below the configured URL is followed: configure the new URL"}}
            """#, after: begun)
    }

    @Test("may be a stream, which passes in order, also behind the response")
    func mayBeStreamWhich() {
        expect(
            #"""
            C> {"id":1,"method":"ping"}
            > 4 POST session s1 =
            S< 4 200 text/event-stream
            S< 4 data: {"method":"notifications/progress","params":{"progressToken":1}}\n\n
            < {"method":"notifications/progress","params":{"progressToken":1}}
            S< 4 data: {"id":"s","method":"sampling/createMessage"}\n\nda
            < {"id":"s","method":"sampling/createMessage"}
            S< 4 ta: {"id":1,\ndata: "result":{}}\n\n
            < {"id":1, "result":{}}
            S< 4 data: {"method":"notifications/message"}\n\n
            < {"method":"notifications/message"}
            C> {"id":1,"method":"ping"}
            > 5 POST session s1 =
            S! 4 late interrupted the connection ended
            """#, after: begun)
    }

    @Test("belongs to the request in whose answer it stands, once")
    func belongsRequestWhoseAnswer() {
        expect(
            #"""
            C> {"id":1,"method":"ping"}
            > 4 POST session s1 =
            C> {"id":2,"method":"ping"}
            > 5 POST session s1 =
            S< 4 200 text/event-stream
            S< 4 data: {"id":2,"result":{}}\n\n
            tell the server sent an answer that no request waits for; it was dropped
            S< 4 data: {"id":"1","result":{}}\n\n
            S< 4 data: {"id":1,"result":{}}\n\n
            < {"id":1,"result":{}}
            S< 4 data: {"id":1,"result":{"again":1}}\n\n
            S< 4 data: nonsense\n\n
            tell the server sent something that is not a message of MCP; it was dropped
            S< 4 |
            """#, after: begun)
    }

    @Test("that is missing is an error that says whether the request may have been carried out")
    func anErrorWhereThere() {
        expect(
            #"""
            C> {"id":1,"method":"ping"}
            > 4 POST session s1 =
            S< 4 200 text/event-stream
            S< 4 |
            < {"id":1,"error":{"code":-33502,"message":"the server's stream ended without the answer; the request may have been carried out"}}
            C> {"id":1,"method":"ping"}
            > 5 POST session s1 =
            S! 5 late interrupted the connection ended
            < {"id":1,"error":{"code":-33502,"message":"the connection ended; the request may have been carried out"}}
            C> {"id":1,"method":"ping"}
            > 6 POST session s1 =
            S! 6 unreachable no connection
            < {"id":1,"error":{"code":-33503,"message":"no connection"}}
            C> {"id":1,"method":"ping"}
            > 7 POST session s1 =
            S! 7 personNeeded sign in with `postern sign-in acme`
            < {"id":1,"error":{"code":-33401,"message":"sign in with `postern sign-in acme`"}}
            C> {"id":1,"method":"ping"}
            > 8 POST session s1 =
            S! 8 daemon the daemon is not there
            < {"id":1,"error":{"code":-33500,"message":"the daemon is not there"}}
            C> {"id":1,"method":"ping"}
            > 9 POST session s1 =
            S< 9 |
            < {"id":1,"error":{"code":-33502,"message":"the server gave no answer"}}
            """#, after: begun)
    }

    @Test("has the id of the request by its meaning, and one id has one request at a time")
    func hasIdRequestBy() {
        expect(
            #"""
            C> {"id":1,"method":"ping"}
            > 4 POST session s1 =
            C> {"id":1.0,"method":"ping"}
            < {"id":1.0,"error":{"code":-32600,"message":"another request with the same id has no answer yet"}}
            C> {"id":"1","method":"ping"}
            > 5 POST session s1 =
            C> {"id":-0,"method":"ping"}
            > 6 POST session s1 =
            C> {"id":0,"method":"ping"}
            < {"id":0,"error":{"code":-32600,"message":"another request with the same id has no answer yet"}}
            S< 4 200 application/json
            S< 4 {"id":1.0,"result":{}}
            S< 4 |
            < {"id":1.0,"result":{}}
            C> {"id":1,"method":"ping"}
            > 7 POST session s1 =
            """#, after: begun)
    }

    @Test(
        "is an error at once for a line that is no message, and nothing is sent",
        arguments: ["nonsense", #"{"jsonrpc":"2.0","id":"#, "[1, 2]", #""text""#, "null"])
    func noMessage(line: String) {
        let trace = Trace.run("C> \(line)", after: begun).split(separator: "\n").dropFirst()
        #expect(trace.count == 1 && trace.allSatisfy { $0.hasPrefix(#"< {"id":null,"error":{"code":-32"#) }, "\(trace)")
    }

    @Test("is not expected for notifications and responses, of which only the first keep their order")
    func notExpectedForNotifications() {
        expect(
            #"""
            C> {"method":"notifications/a"}
            > 4 POST session s1 =
            C> {"method":"notifications/b"}
            C> {"id":9,"result":{}}
            > 5 POST session s1 =
            S< 4 500
            S< 4 |
            tell notifications/a was not delivered: the server failed (500); the request may have been carried out
            > 6 POST session s1 {"method":"notifications/b"}
            S! 6 unreachable no connection
            tell notifications/b was not delivered: no connection
            S< 5 202
            S< 5 |
            C> {"method":"notifications/c"}
            > 7 POST session s1 =
            S< 7 200 text/event-stream
            x 7
            """#, after: begun)
    }
}
