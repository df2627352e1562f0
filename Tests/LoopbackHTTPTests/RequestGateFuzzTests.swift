import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import LoopbackHTTP
@testable import TestHTTPClient

/// Puts the gate and the decoder side by side on spoilt requests: what one takes for a request's end, the other must, too.
@Suite("Spoilt requests")
struct RequestGateFuzzTests {
    /// Counts what comes out of the decoder, and answers so that the gate goes on.
    private final class Sink: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart

        var announced: [RequestFraming] = []
        var heads: [HTTPRequestHead] = []
        var bodies: [Int] = []
        var ends = 0
        var refused = false
        private let gate: RequestGate

        init(gate: RequestGate) { self.gate = gate }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if let passed = event as? RequestGate.HeadPassed { announced.append(passed.framing) }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard ends == announced.count - 1 else { return }
            switch unwrapInboundIn(data) {
            case .head(let head):
                heads.append(head)
                bodies.append(0)
            case .body(let part): bodies[bodies.count - 1] += part.readableBytes
            case .end:
                ends += 1
                gate.requestComplete()
                if announced.last?.keepsConnection == true { gate.requestAnswered() } else { gate.stop() }
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            refused = true
            gate.stop()
        }
    }

    private static let pieces = [
        "\r\n", "\n", "\r", "\r\n\r\n", " ", "\t", ":", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "Host: x\r\n",
        "0\r\n\r\n",
        "HTTP/1.1", "HTTP/1.0", "\0", "5\r\nhello\r\n", "Connection: close\r\n", "Expect: 100-continue\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "#",
        "chunked", ", ", "ffffffffffffffff", "Upgrade: x\r\n",
    ]

    @Test("are read by the gate and the decoder in the same way, or refused")
    func differential() throws {
        let rounds = ProcessInfo.processInfo.environment["POSTERN_FUZZ_ROUNDS"].flatMap { Int($0) } ?? 4000
        let seeds = HostileCase.all.map { $0.bytes(port: 80) }.filter { $0.count < 2000 }
        try #require(!seeds.isEmpty)
        var generator = SeededGenerator(seed: 1)
        for round in 0..<rounds {
            let request = mutated(seeds[round % seeds.count], pieces: Self.pieces, using: &generator)
            try run(request, &generator)
        }
    }

    private func run(_ request: [UInt8], _ generator: inout SeededGenerator) throws {
        let gate = RequestGate(limits: HTTPLimits())
        let sink = Sink(gate: gate)
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.pipeline.syncOperations.addHandlers([gate, ByteToMessageHandler(HTTPRequestDecoder()), sink])
        channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        var rest = request[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 1...400, using: &generator))
            rest = rest.dropFirst(part.count)
            channel.pipeline.syncOperations.fireChannelRead(NIOAny(ByteBuffer(bytes: part)))
            channel.embeddedEventLoop.run()
        }

        let shown = Comment(rawValue: String(reflecting: String(decoding: request, as: UTF8.self)))
        #expect(sink.heads.count <= sink.announced.count && sink.ends <= sink.heads.count, shown)
        for (index, head) in sink.heads.enumerated() {
            let framing = sink.announced[index]
            if framing.targetAuthority == nil { #expect(head.uri == framing.target, shown) }
            guard index < sink.ends else { continue }
            switch framing.body {
            case .none: #expect(sink.bodies[index] == 0, shown)
            case .length(let length): #expect(sink.bodies[index] == length, shown)
            case .chunked: #expect(head.headers["Transfer-Encoding"].count == 1, shown)
            }
        }
        // A head that the gate lets pass is one for the decoder, too, unless it refuses it.
        #expect(sink.heads.count == sink.announced.count || sink.refused, shown)
    }
}
