import HTTPSClient
import NIOConcurrencyHelpers
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

    @Test("a response that ends only with the connection may be truncated, and is refused")
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

    @Test(
        "what is written before a flush is one record if it fits, and comes whole and in order",
        arguments: [([5, 6], 1), ([16_000, 384, 1], 2), ([100, 70_000, 100], 7), ([16_385], 2)])
    func records(_ sizes: [Int], _ records: Int) async throws {
        let certificate = try authority.good()
        let context = try TLSContext.server(certificateFile: certificate.certificateFile, keyFile: certificate.keyFile)
        let trust = try TLSContext.client(extraAuthorities: authority.caFile)
        let received = NIOLockedValueBox<[UInt8]>([])
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([TLSHandler(server: context), Collector(received)])
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let sent = NIOLockedValueBox<[UInt8]>([])
        let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        Recorder(sent), TLSHandler(client: trust, serverHostname: "localhost"),
                    ])
                }
            }
            .connect(host: "127.0.0.1", port: try #require(server.localAddress?.port)).get()
        // The handshake is done.
        try await client.writeAndFlush(ByteBuffer(bytes: [0]))
        sent.withLockedValue { $0 = [] }
        let parts = sizes.enumerated().map { [UInt8](repeating: UInt8($0.offset + 1), count: $0.element) }
        let all = NIOLockedValueBox<[EventLoopFuture<Void>]>([])
        try await client.eventLoop.submit {
            let written = parts.map { client.write(ByteBuffer(bytes: $0)) }
            all.withLockedValue { $0 = written }
            client.flush()
        }.get()
        for future in all.withLockedValue({ $0 }) { try await future.get() }
        var rest = sent.withLockedValue { $0 }[...]
        var count = 0
        while rest.count >= 5 {
            rest = rest.dropFirst(5 + (Int(rest[rest.startIndex + 3]) << 8 | Int(rest[rest.startIndex + 4])))
            count += 1
        }
        #expect(count == records)
        func expectReceived(_ expected: [UInt8]) async throws {
            let end = ContinuousClock.now + .seconds(20)
            while received.withLockedValue({ $0.count }) < expected.count, .now < end { try await Task.sleep(for: .milliseconds(1)) }
            #expect(received.withLockedValue { $0 } == expected)
        }
        try await expectReceived([0] + parts.joined())
        // What was not flushed goes out with the end.
        let last = client.eventLoop.makePromise(of: Void.self)
        client.write(ByteBuffer(bytes: [9]), promise: nil)
        client.write(ByteBuffer(bytes: [9]), promise: last)
        try await client.close().get()
        try await last.futureResult.get()
        try await expectReceived([0] + parts.joined() + [9, 9])
        try await server.close().get()
    }

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let received: NIOLockedValueBox<[UInt8]>

        init(_ received: NIOLockedValueBox<[UInt8]>) { self.received = received }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            received.withLockedValue { $0 += bytes.readableBytesView }
        }
    }

    /// Sees the records on their way to the socket.
    private final class Recorder: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        private let sent: NIOLockedValueBox<[UInt8]>

        init(_ sent: NIOLockedValueBox<[UInt8]>) { self.sent = sent }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            let bytes = unwrapOutboundIn(data)
            sent.withLockedValue { $0 += bytes.readableBytesView }
            context.write(data, promise: promise)
        }
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
