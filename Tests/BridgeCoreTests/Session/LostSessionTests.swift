import Testing

@Suite("A lost session")
struct LostSessionTraces {
    @Test("is begun anew, and the requests that it refused are sent again once")
    func begunAnewRequestsRefused() {
        expect(
            #"""
            C> {"id":1,"method":"tools/call"}
            > 4 POST session s1 =
            C> {"id":2,"method":"tools/call"}
            > 5 POST session s1 =
            S< 4 404 application/json
            S< 4 {"id":"server-error","error":{"code":-32600,"message":"Session not found"}}
            S< 4 |
            > 6 POST {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            C> {"id":3,"method":"tools/call"}
            S< 5 404
            S< 5 |
            S< 6 200 application/json; Mcp-Session-Id: s2
            S< 6 {"id":0,"result":{"protocolVersion":"2025-11-25"}}
            S< 6 |
            > 7 POST session s2 {"method":"notifications/initialized"}
            S< 7 202
            S< 7 |
            > 8 GET session s2
            > 9 POST session s2 {"id":1,"method":"tools/call"}
            > 10 POST session s2 {"id":2,"method":"tools/call"}
            > 11 POST session s2 =
            S< 9 404
            S< 9 |
            < {"id":1,"error":{"code":-33504,"message":"the server ended the session (404), and the new one for this request as well"}}
            S< 10 200 application/json
            S< 10 {"id":2,"result":{}}
            S< 10 |
            < {"id":2,"result":{}}
            """#, after: begun)
    }

    @Test("that refuses a request after another was begun has it sent there, but not what the client has cancelled")
    func refusesRequestAfterAnother() {
        expect(
            #"""
            C> {"id":1,"method":"tools/call"}
            > 4 POST session s1 =
            C> {"id":2,"method":"tools/call"}
            > 5 POST session s1 =
            S< 4 404
            S< 4 |
            > 6 POST {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            C> {"method":"notifications/cancelled","params":{"requestId":1}}
            S< 6 200 application/json; Mcp-Session-Id: s2
            S< 6 {"id":0,"result":{"protocolVersion":"2025-11-25"}}
            S< 6 |
            > 7 POST session s2 {"method":"notifications/initialized"}
            S< 7 202
            S< 7 |
            > 8 GET session s2
            S< 5 404
            S< 5 |
            > 9 POST session s2 {"id":2,"method":"tools/call"}
            C> {"id":1,"method":"ping"}
            > 10 POST session s2 =
            """#, after: begun)
    }

    @Test("is an error while no new session begins")
    func anErrorWhereNo() {
        expect(
            #"""
            C> {"id":1,"method":"tools/call"}
            > 4 POST session s1 =
            S< 4 404
            S< 4 |
            > 5 POST {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            C> {"method":"notifications/x"}
            C> {"id":2,"method":"tools/call"}
            S! 5 personNeeded sign in with `postern sign-in acme`
            < {"id":1,"error":{"code":-33401,"message":"the server ended the session, and a new one did not begin: sign in with `postern sign-in acme`"}}
            < {"id":2,"error":{"code":-33401,"message":"the server ended the session, and a new one did not begin: sign in with `postern sign-in acme`"}}
            C> {"id":1,"method":"tools/call"}
            > 6 POST session s1 =
            S< 6 404
            S< 6 |
            > 7 POST {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            S< 7 200 application/json; Mcp-Session-Id: s2
            S< 7 {"id":0,"result":{"protocolVersion":"2025-06-18"}}
            S< 7 |
            < {"id":1,"error":{"code":-33502,"message":"the server ended the session, and a new one did not begin: it chose another protocol version"}}
            C> {"id":1,"method":"tools/call"}
            > 8 POST session s1 =
            S< 8 404
            S< 8 |
            > 9 POST {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            S< 9 200 application/json; Mcp-Session-Id: s3
            S< 9 {"id":0,"result":{"protocolVersion":"2025-11-25"}}
            S< 9 |
            > 10 POST session s3 {"method":"notifications/initialized"}
            S< 10 202
            S< 10 |
            > 11 GET session s3
            > 12 POST session s3 =
            """#, after: begun)
    }

    @Test("is begun anew for a notification, too, which is sent again once and in its order; responses and cancellations go with it")
    func notifications() {
        expect(
            #"""
            C> {"method":"notifications/a"}
            > 4 POST session s1 =
            C> {"method":"notifications/b"}
            C> {"id":9,"result":{}}
            > 5 POST session s1 =
            C> {"method":"notifications/cancelled","params":{"requestId":1}}
            > 6 POST session s1 =
            S< 5 404
            S< 5 |
            tell a response was not delivered: the server ended the session (404)
            S< 6 404
            S< 6 |
            tell notifications/cancelled was not delivered: the server ended the session (404)
            S< 4 404 application/json
            S< 4 {"error":{"code":-32600,"message":"Session not found"}}
            S< 4 |
            > 7 POST {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            S< 7 200 application/json; Mcp-Session-Id: s2
            S< 7 {"id":0,"result":{"protocolVersion":"2025-11-25"}}
            S< 7 |
            > 8 POST session s2 {"method":"notifications/initialized"}
            S< 8 202
            S< 8 |
            > 9 GET session s2
            > 10 POST session s2 {"method":"notifications/a"}
            S< 10 404
            S< 10 |
            tell notifications/a was not delivered: the server ended the session (404), and the new one for this request as well
            > 11 POST session s2 {"method":"notifications/b"}
            S< 11 404 application/json
            S< 11 {"error":{"code":-32601,"message":"no such method"}}
            S< 11 |
            tell notifications/b was not delivered: the server has nothing at this URL (404)
            C> {"method":"notifications/c"}
            > 12 POST session s2 =
            S< 12 404
            S< 12 |
            x 9
            > 13 POST {"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}
            S! 13 unreachable no connection
            tell notifications/c was not delivered: the server ended the session, and a new one did not begin: no connection
            """#, after: begun)
    }
}
