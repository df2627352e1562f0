import LoopbackHTTP
import NIOCore
import Testing

@testable import TestHTTPClient

@Suite("The HTTP listener")
struct HTTPListenerTests {
    private let host = "Host: 127.0.0.1\r\n"

    @Test("answers several requests on one connection")
    func keepAlive() throws {
        let server = try TestListener()
        let client = try server.client()
        for number in 1...3 {
            try client.send("GET /\(number)?q HTTP/1.1\r\n\(host)\r\n")
            #expect(try client.response()?.body == "GET /\(number)?q ")
        }
        #expect(server.responder.requests.map(\.path) == ["/1", "/2", "/3"])
        #expect(server.responder.requests.allSatisfy { $0.query == "q" })
    }

    @Test("answers pipelined requests in their order, one after another")
    func pipelining() throws {
        let server = try TestListener()
        let requests = (1...50).map { "POST /\($0) HTTP/1.1\r\n\(host)Content-Length: 1\r\n\r\nx" }.joined()
        let client = try server.client()
        try client.send(requests + "GET /last HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
        #expect(try client.responses().map(\.body) == (1...50).map { "POST /\($0) x" } + ["GET /last "])
    }

    @Test("puts a request together however it is cut")
    func singleBytes() throws {
        let server = try TestListener()
        let client = try server.client()
        for byte in "POST /x HTTP/1.1\r\n\(host)Content-Length: 3\r\nConnection: close\r\n\r\nabc".utf8 { try client.send([byte]) }
        #expect(try client.responses().map(\.body) == ["POST /x abc"])
    }

    @Test("serves HTTP/1.0, with and without Host, and closes")
    func oldVersion() throws {
        let server = try TestListener()
        #expect(try server.exchange("GET /a HTTP/1.0\r\n\r\n").map(\.body) == ["GET /a "])
        #expect(try server.exchange("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\(host)\r\n").map(\.body) == ["GET /a "])
    }

    @Test("reads chunked bodies, answers, and closes, whatever follows")
    func chunked() throws {
        let server = try TestListener()
        let request = "POST /c HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: t\r\n\r\n"
        #expect(try server.exchange(request + "GET /smuggled HTTP/1.1\r\n\(host)\r\n").map(\.body) == ["POST /c abcde"])
        #expect(server.responder.requests.map(\.path) == ["/c"])
    }

    @Test("asks for a body that waits for 100 Continue")
    func continuation() throws {
        let server = try TestListener()
        let client = try server.client()
        try client.send("POST /e HTTP/1.1\r\n\(host)Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n")
        #expect(try client.response()?.status == 100)
        try client.send("ok")
        #expect(try client.responses().map(\.body) == ["POST /e ok"])
    }

    @Test("leaves the body out of an answer to HEAD and of one without content")
    func bodiless() throws {
        let server = try TestListener()
        let client = try server.client()
        try client.send("GET /nothing HTTP/1.1\r\n\(host)\r\n")
        let nothing = try #require(try client.response())
        #expect(nothing.status == 204 && nothing.header("Content-Length") == nil)
        try client.send("HEAD /h HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
        client.asksForHeads = true
        #expect(try client.responses().map { $0.header("Content-Length") } == ["8"])
    }

    @Test("answers a client that has closed its sending side")
    func halfClosed() throws {
        let server = try TestListener()
        let client = try server.client()
        try client.send("GET /hold HTTP/1.1\r\n\(host)\r\n")
        client.endSending()
        try #require(try eventually { server.responder.requests.count == 1 })
        server.responder.release()
        #expect(try client.responses().map(\.body) == ["released"])
    }

    @Test("answers all requests of a client that sent several and then closed its sending side")
    func halfClosedPipeline() throws {
        let server = try TestListener()
        let client = try server.client()
        try client.send("GET /hold HTTP/1.1\r\n\(host)\r\nGET /2 HTTP/1.1\r\n\(host)\r\nGET /3 HTTP/1.1\r\n\(host)\r\n")
        client.endSending()
        try #require(try eventually { server.responder.requests.count == 1 })
        // Turns of the event loop, in which it sees the end.
        for _ in 0..<10 { _ = try server.openConnections() }
        server.responder.release()
        #expect(try client.responses().map(\.body) == ["released", "GET /2 ", "GET /3 "])
    }

    @Test("takes a target in absolute form when it names the same server as Host")
    func absoluteForm() throws {
        let server = try TestListener()
        #expect(
            try server.exchange("GET http://127.0.0.1/a?b HTTP/1.1\r\n\(host)Connection: close\r\n\r\n").map(\.body) == ["GET /a?b "])
        #expect(try server.exchange("GET http://evil/a?b HTTP/1.1\r\n\(host)\r\n").map(\.status) == [400])
        #expect(try server.exchange("GET http://127.0.0.1 HTTP/1.0\r\n\r\n").map(\.body) == ["GET / "])
        #expect(server.responder.requests.last?.header("Host") == "127.0.0.1")
    }

    @Test("puts the common headers on every answer, refusals too")
    func commonHeaders() throws {
        let server = try TestListener()
        for request in ["GET / HTTP/1.1\r\n\(host)Connection: close\r\n\r\n", "nonsense\r\n\r\n", "GET /fail HTTP/1.0\r\n\r\n"] {
            #expect(try server.exchange(request).map { $0.header("X-Common") } == ["yes"])
        }
    }

    @Test("answers 500 when the responder fails, or would write a header into another line")
    func failures() throws {
        let server = try TestListener()
        #expect(try server.exchange("GET /fail HTTP/1.0\r\n\r\n").map(\.status) == [500])
        let injected = try server.exchange("GET /inject HTTP/1.0\r\n\r\n")
        #expect(injected.map(\.status) == [500])
        #expect(injected.first?.header("Set-Cookie") == nil)
    }

    @Test("closes where the answer says so")
    func closing() throws {
        let server = try TestListener()
        let responses = try server.exchange("GET /close HTTP/1.1\r\n\(host)\r\nGET /more HTTP/1.1\r\n\(host)\r\n")
        #expect(responses.map { $0.header("Connection") } == ["close"])
    }

    @Test("does not read on while a client that keeps sending is being answered")
    func backPressure() throws {
        let server = try TestListener()
        let client = try server.client()
        try client.send("GET /hold HTTP/1.1\r\n\(host)\r\n")
        try #require(try eventually { server.responder.requests.count == 1 })
        let more = String(repeating: "GET /more HTTP/1.1\r\n\(host)\r\n", count: 2000)
        try client.send(more + "GET /last HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
        server.responder.release()
        let responses = try client.responses()
        #expect(responses.count == 2002)
        #expect(responses.last?.body == "GET /last ")
    }
}
