import LoopbackHTTP
import NIOCore
import Testing

@testable import TestHTTPClient

@Suite("Many connections at once")
struct ConnectionTableTests {
    private let request = "GET /real HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

    @Test("64 silent and 64 slow connections do not block a request")
    func held() throws {
        let server = try TestListener { $0.headerTime = .hours(1) }
        var held: [RawClient] = []
        for number in 0..<128 {
            let client = try server.client()
            if number % 2 == 1 { try client.send("GET / HTTP/1.1\r\nX:") }
            held.append(client)
        }
        #expect(try server.exchange(request).map(\.body) == ["GET /real "])
        #expect(try server.openConnections() <= 64)
        // The oldest went first, the youngest are still there.
        #expect(try held[0].response() == nil)
        try held[127].send("y\r\nHost: x\r\nConnection: close\r\n\r\n")
        #expect(try held[127].response()?.status == 200)
    }

    @Test("connections that are idle between requests, or lingering, are closed as well")
    func answered() throws {
        let server = try TestListener { limits in
            limits.connections = 2
            (limits.idleTime, limits.answerTime) = (.hours(1), .hours(1))
        }
        let resting = try server.client()
        try resting.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try resting.response()?.status == 200)
        let lingering = try server.client()
        try lingering.send("nonsense\r\n\r\n")
        #expect(try lingering.response()?.status == 400)
        for _ in 0..<3 { #expect(try server.exchange(request).map(\.status) == [200]) }
    }

    @Test("200 requests at once are all answered: those beyond the limit wait until a place is free")
    func busy() throws {
        let server = try TestListener([.address(host: "127.0.0.1", port: 0), .address(host: "::1", port: 0)])
        var clients: [RawClient] = []
        for number in 0..<200 {
            let client = try RawClient(server.listener.localAddresses[number % 2])
            try client.send("GET /hold HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            clients.append(client)
        }
        var answered = 0
        while answered < 200 {
            let places = min(64, 200 - answered)
            try #require(try eventually { server.responder.requests.count >= answered + places })
            // One more at each address: what had been idle may have become busy since the last look.
            let open = try server.openConnections()
            #expect(open <= 66)
            answered = server.responder.requests.count
            server.responder.release()
        }
        for client in clients { #expect(try client.responses().map(\.body) == ["released"]) }
        #expect(try server.exchange(request).map(\.status) == [200])
    }

    @Test("a listener whose connections all sent invalid bytes keeps serving")
    func drips() throws {
        let server = try TestListener { $0.connections = 2 }
        let busy = try server.client()
        try busy.send("GET /hold HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        try #require(try eventually { server.responder.requests.count == 1 })
        for _ in 0..<20 {
            let dripping = try server.client()
            try dripping.send("GET / HTTP/1.1\r\nX:")
            #expect(try server.exchange(request).map(\.body) == ["GET /real "])
        }
        server.responder.release()
        #expect(try busy.responses().map(\.body) == ["released"])
    }

    @Test("a request that waits behind another one of its connection counts as one that has arrived")
    func pipelined() throws {
        let server = try TestListener { $0.connections = 1 }
        let client = try server.client()
        try client.send("GET /hold HTTP/1.1\r\nHost: x\r\n\r\n" + request)
        try #require(try eventually { server.responder.requests.count == 1 })
        let other = try server.client()
        try other.send(request)
        server.responder.release()
        #expect(try client.responses().map(\.body) == ["released", "GET /real "])
        #expect(try other.responses().map(\.body) == ["GET /real "])
    }
}
