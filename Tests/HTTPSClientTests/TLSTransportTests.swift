import HTTPSClient
import NIOCore
import NIOPosix
import PosternCore
import PosternCrypto
import TLSTransport
import TestAuthority
import Testing

@Suite("The TLS handler in a pipeline")
struct TLSTransportTests {
    let authority: TestAuthority

    init() throws { authority = try TLSTests.authority.get() }

    private func outcome(_ answer: String, _ ending: ScriptedTLSServer.Ending) async throws -> Outcome {
        let server = try ScriptedTLSServer(authority.good(), answer: Array(answer.utf8), ending: ending)
        return await HTTPSClient.make().outcome(
            ProviderRequest(url: "https://localhost:\(server.port)/"), caFile: authority.caFile)
    }

    @Test("an answer that ends with close_notify is complete")
    func closeNotify() async throws {
        #expect(try await outcome("HTTP/1.1 200 OK\r\n\r\nhello", .closeNotify) == .answer(200, "hello"))
    }

    @Test("an answer that ends with the connection alone may be cut short, and is refused")
    func cut() async throws {
        let closed = Outcome.failure(.connectionClosed, mayHaveReachedServer: true)
        #expect(try await outcome("HTTP/1.1 200 OK\r\n\r\nhello", .cut) == closed)
    }

    @Test("an answer with a length is complete, however the connection ends")
    func lengthAndCut() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
        #expect(try await outcome(answer, .cut) == .answer(200, "hello"))
    }

    @Test("a large answer comes whole through both sides of the handler")
    func large() async throws {
        let body = String(repeating: "0123456789abcdef", count: 60_000)
        #expect(try await outcome("HTTP/1.1 200 OK\r\n\r\n" + body, .closeNotify) == .answer(200, body))
    }

    @Test("what is written before the handshake waits for it, up to a limit")
    func waitingWrites() async throws {
        let server = try RawServer { $0.drain() }
        let context = try TLSContext.client()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(TLSHandler(client: context, serverHostname: "localhost"))
                }
            }
            .connect(host: "127.0.0.1", port: server.port).get()
        let waiting = channel.eventLoop.makePromise(of: Void.self)
        channel.writeAndFlush(ByteBuffer(repeating: 0, count: 1 << 20), promise: waiting)
        let error = await #expect(throws: TLSError.self) { try await channel.writeAndFlush(ByteBuffer(bytes: [0])) }
        #expect(error?.code == .tooMuchWaiting)
        try await channel.close().get()
        await #expect(throws: ChannelError.self) { try await waiting.futureResult.get() }
    }

    @Test("many requests leave nothing behind")
    func memory() async throws {
        let server = try ScriptedTLSServer(authority.good(), answer: Array("HTTP/1.1 200 OK\r\n\r\nhello".utf8), ending: .closeNotify)
        let client = HTTPSClient.make()
        let request = ProviderRequest(url: "https://localhost:\(server.port)/")
        func requests(_ count: Int) async throws {
            for _ in 0..<count {
                try #require(await client.outcome(request, caFile: authority.caFile) == .answer(200, "hello"))
                // And one that fails.
                try #require(await client.error(request)?.mayHaveReachedServer == false)
            }
        }
        try await requests(20)
        let before = try residentBytes()
        try await requests(150)
        // A connection holds 60 KB and a certificate store more: three hundred of them kept would be 20 MB.
        #expect(try residentBytes() - before < 12_000_000)
    }
}
