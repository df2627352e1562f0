import Testing

/// A call in that session, of whose stream the event a has come. Exchange 4 is used.
private let streaming =
    begun + "\n" + #"""
        C> {"id":1,"method":"tools/call"}
        S< 4 200 text/event-stream
        S< 4 id: a\ndata:\n\n
        """#

@Suite("A resumed stream")
struct ResumptionTraces {
    @Test("waits as long as the server says, goes on after the last event, and longer after each failure")
    func waitsAsLongAs() {
        expect(
            #"""
            C> {"id":1,"method":"tools/call"}
            > 4 POST session s1 =
            S< 4 200 text/event-stream
            S< 4 id: a\nretry: 2000\ndata:\n\n
            S< 4 |
            wait 4 2000
            T> 4
            > 5 GET session s1; Last-Event-ID: a
            S< 5 200 text/event-stream
            S< 5 id: b\ndata: {"method":"notifications/progress"}\n\n
            < {"method":"notifications/progress"}
            S! 5 late interrupted cut
            wait 5 2000
            T> 5
            > 6 GET session s1; Last-Event-ID: b
            S! 6 unreachable no connection
            wait 6 4000
            T> 6
            > 7 GET session s1; Last-Event-ID: b
            S< 7 503
            S< 7 |
            wait 7 8000
            C> {"id":1,"method":"ping"}
            < {"id":1,"error":{"code":-32600,"message":"another request with the same id has no answer yet"}}
            T> 7
            > 8 GET session s1; Last-Event-ID: b
            S< 8 200 text/event-stream
            S< 8 data: {"id":1,"result":{}}\n\n
            < {"id":1,"result":{}}
            S< 8 |
            """#, after: begun)
    }

    @Test("is given up after five failures")
    func givenUpAfterFive() {
        expect(
            #"""
            S< 4 |
            wait 4 1000
            T> 4
            > 5 GET session s1; Last-Event-ID: a
            S! 5 unreachable no connection
            wait 5 2000
            T> 5
            > 6 GET session s1; Last-Event-ID: a
            S! 6 unreachable no connection
            wait 6 4000
            T> 6
            > 7 GET session s1; Last-Event-ID: a
            S! 7 unreachable no connection
            wait 7 8000
            T> 7
            > 8 GET session s1; Last-Event-ID: a
            S! 8 unreachable no connection
            wait 8 16000
            T> 8
            > 9 GET session s1; Last-Event-ID: a
            S! 9 unreachable no connection
            < {"id":1,"error":{"code":-33502,"message":"no connection; the request may have been carried out"}}
            T> 9
            """#, after: streaming)
    }

    @Test("is given up if the server cannot resume it")
    func givenUpWhereServer() {
        expect(
            #"""
            S< 4 |
            wait 4 1000
            T> 4
            > 5 GET session s1; Last-Event-ID: a
            S< 5 405
            S< 5 |
            < {"id":1,"error":{"code":-33502,"message":"the server's stream ended and cannot be taken up again (405); the request may have been carried out"}}
            C> {"id":2,"method":"tools/call"}
            > 6 POST session s1 =
            S< 6 200 text/event-stream
            S< 6 id: é\ndata:\n\n
            S< 6 |
            < {"id":2,"error":{"code":-33502,"message":"the server's stream ended without the answer; the request may have been carried out"}}
            """#, after: streaming)
    }

    @Test("is not tried for what the client has cancelled")
    func notTriedForWhat() {
        expect(
            #"""
            S< 4 |
            wait 4 1000
            C> {"method":"notifications/cancelled","params":{"requestId":1}}
            > 5 POST session s1 =
            T> 4
            C> {"id":1,"method":"ping"}
            > 6 POST session s1 =
            """#, after: streaming)
    }
}

@Suite("A cancellation")
struct CancellationTraces {
    @Test("is a notification in a session; no error is made up for the request, and its answer passes")
    func notificationSessionNoError() {
        expect(
            #"""
            C> {"id":1,"method":"tools/call"}
            > 4 POST session s1 =
            C> {"id":2,"method":"tools/call"}
            > 5 POST session s1 =
            S< 4 200 text/event-stream
            C> {"method":"notifications/cancelled","params":{"requestId":1}}
            > 6 POST session s1 =
            C> {"method":"notifications/cancelled","params":{"requestId":2}}
            > 7 POST session s1 =
            S< 4 |
            S< 5 200 application/json
            S< 5 {"id":2,"result":{}}
            S< 5 |
            < {"id":2,"result":{}}
            C> {"id":1,"method":"ping"}
            > 8 POST session s1 =
            """#, after: begun)
    }

    @Test("closes the exchange without a session, and nothing is written for its id")
    func closesExchangeWithoutSession() {
        expect(
            #"""
            C> {"id":1,"method":"tools/call","params":{@}}
            > 1 first POST stateless tools/call =
            S< 1 200 text/event-stream
            C> {"method":"notifications/cancelled","params":{"requestId":7}}
            C> {"method":"notifications/cancelled","params":{"requestId":1}}
            x 1
            S< 1 data: {"id":1,"result":{}}\n\n
            S< 1 |
            C> {"id":1,"method":"ping","params":{@}}
            > 2 POST stateless ping =
            """#)
    }
}
