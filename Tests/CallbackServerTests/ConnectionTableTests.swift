import LoopbackHTTP
import NIOCore
import Testing

@Suite("Many connections at once")
struct ConnectionTableTests {
    private let request = "GET /real HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

    @Test("64 silent and 64 dripping connections do not keep a request out")
    func held() throws {
        let server = try TestListener()
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

    @Test("connections that wait between two requests, or only linger, give way as well")
    func answered() throws {
        let server = try TestListener { $0.connections = 2 }
        let resting = try server.client()
        try resting.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try resting.response()?.status == 200)
        let lingering = try server.client()
        try lingering.send("nonsense\r\n\r\n")
        #expect(try lingering.response()?.status == 400)
        for _ in 0..<3 { #expect(try server.exchange(request).map(\.status) == [200]) }
    }

    @Test("a request that is being answered is not given up for a new connection")
    func busy() throws {
        let server = try TestListener { $0.connections = 2 }
        let clients = [try server.client(), try server.client()]
        for client in clients { try client.send("GET /hold HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") }
        try #require(try eventually { server.responder.requests.count == 2 })
        #expect(try server.client().response() == nil)
        server.responder.release()
        for client in clients { #expect(try client.responses().map(\.body) == ["released"]) }
        #expect(try server.exchange(request).map(\.status) == [200])
    }
}
