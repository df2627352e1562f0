import HTTPSClient
import NIOConcurrencyHelpers
import PosternCore
import Testing

@Suite("Failed connections and abandoned requests")
struct ConnectionTests {
    @Test("a port where nobody listens")
    func refused() async throws {
        let port = try RawServer.freePort()
        let error = await HTTPSClient.make().error(ProviderRequest(url: "https://127.0.0.1:\(port)/"))
        #expect(error?.kind == .connect)
        #expect(error?.mayHaveReachedServer == false)
        #expect(error?.description == "'127.0.0.1' cannot be reached at port \(port): Connection refused")
    }

    @Test("a name that does not exist")
    func noSuchName() async {
        let error = await HTTPSClient.make().error(ProviderRequest(url: "https://does-not-exist.invalid/?code=secret"))
        // A machine without a name server may wait for one until the deadline.
        #expect([.nameResolution, .connectTimeout].contains(error?.kind))
        #expect(error?.mayHaveReachedServer == false)
        #expect(error?.description.contains("does-not-exist.invalid") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test("localhost is found by its name")
    func byName() async throws {
        let server = try RawServer(answer: Array("HTTP/1.1 200 OK\r\n\r\nhello".utf8))
        let outcome = await HTTPSClient.make().outcome(ProviderRequest(url: "http://localhost:\(server.port)/"))
        #expect(outcome == .answer(200, "hello"))
    }

    @Test("many at once are each answered")
    func many() async throws {
        let server = try RawServer { connection in
            let path = connection.readHead().split(separator: " ")[1]
            connection.write("HTTP/1.1 200 OK\r\n\r\n\(path)")
        }
        let client = HTTPSClient.make()
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                let host = number.isMultiple(of: 2) ? "localhost" : "127.0.0.1"
                group.addTask {
                    // More than sixteen names at once are refused, so most of these wait for none.
                    let request = ProviderRequest(url: "http://\(number < 20 ? host : "127.0.0.1"):\(server.port)/\(number)")
                    return await client.outcome(request) == .answer(200, "/\(number)")
                }
            }
            for await isAnswered in group { #expect(isAnswered) }
        }
    }

    @Test("a server that takes the connection and never speaks TLS is given up, and has seen nothing")
    func silentHandshake() async throws {
        let server = try RawServer { $0.drain() }
        let client = HTTPSClient.make { $0.connectTimeout = .milliseconds(200) }
        let error = await client.error(ProviderRequest(url: "https://127.0.0.1:\(server.port)/"))
        #expect(error?.kind == .connectTimeout)
        #expect(error?.mayHaveReachedServer == false)
        #expect(error?.description == "'127.0.0.1' cannot be reached: no connection within 200 ms")
    }

    static let losses: [(name: String, lose: @Sendable (RawConnection) -> Void)] = [
        ("an end", { _ in }),
        ("a reset", { $0.reset() }),
        ("a part of the answer", { $0.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhell") }),
        (
            "a reset in the answer",
            {
                $0.write("HTTP/1.1 200 OK\r\nContent-")
                $0.reset()
            }
        ),
    ]

    @Test("a request is sent once, even where the answer is lost", arguments: losses.indices)
    func sentOnce(_ index: Int) async throws {
        let requests = NIOLockedValueBox(0)
        let serve: @Sendable (RawConnection) -> Void = { connection in
            guard !connection.readRequest().isEmpty else { return }
            requests.withLockedValue { $0 += 1 }
            Self.losses[index].lose(connection)
        }
        // A name that has two addresses, so that there is another one to try: RFC 8305 is about connections, not about requests.
        let server = try RawServer(serve)
        _ = try? RawServer(portOfIPv6: server.port, serve)
        let request = ProviderRequest(method: "POST", url: "http://localhost:\(server.port)/token", body: Array("code=once".utf8))
        let outcome = await HTTPSClient.make().outcome(request)
        #expect(outcome == .failure(.connectionClosed, mayHaveReachedServer: true), "\(Self.losses[index].name)")
        #expect(requests.withLockedValue { $0 } == 1)
    }
}
