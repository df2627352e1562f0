import NIOCore
import NIOEmbedded
import StrictJSON
import Testing
import Varlink

@testable import VarlinkServer

/// The handler alone, with no socket under it: here a test decides into which pieces a stream falls.
@Suite("A connection's handler")
struct ConnectionHandlerTests {
    final class Connection {
        let service = TestService()
        let channel = EmbeddedChannel()
        let handler: ConnectionHandler

        init(limits: VarlinkLimits = VarlinkLimits()) throws {
            let table = try ServiceTable(info: TestServer.info, interfaces: service.interfaces)
            let state = ListenerState(service: service, table: table, limits: limits, eventLoop: channel.eventLoop)
            let peer = VarlinkPeer(id: 1, pid: 1, uid: 0, gid: 0)
            handler = ConnectionHandler(listener: state, peer: peer, slot: state.connections.admit(channel))
            try channel.pipeline.syncOperations.addHandler(handler)
            try channel.connect(to: SocketAddress(unixDomainSocketPath: "/")).wait()
        }

        deinit { _ = try? channel.finish(acceptAlreadyClosed: true) }

        func receive(_ bytes: [UInt8]) throws {
            guard channel.isActive else { return }
            try channel.writeInbound(ByteBuffer(bytes: bytes))
        }

        func receive(_ text: String) throws { try receive(Array(text.utf8)) }

        /// What has been written since the last look.
        func written() throws -> String {
            var text = ""
            while let buffer = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: buffer) }
            return text
        }
    }

    private let echo = #"{"method":"org.example.test.Echo","parameters":{"text":"x"}}"#
    private let reply = #"{"parameters":{"text":"x"}}"#
    private let hold = #"{"method":"org.example.test.Hold"}"#

    @Test("a NUL that comes after the newline's reply is answered with a NUL")
    func lateNULAfterReply() throws {
        let connection = try Connection()
        try connection.receive(echo + "\n")
        #expect(try connection.written() == reply + "\n")
        try connection.receive(" \n\0")
        #expect(try connection.written() == "\0")
        try connection.receive(echo + "\n\0")
        #expect(try connection.written() == reply + "\0")
    }

    @Test("a NUL that comes before the reply gives it its ending")
    func lateNULBeforeReply() throws {
        let connection = try Connection()
        try connection.receive(hold + "\n")
        try connection.receive("\0")
        connection.service.takeHeld().send([:])
        #expect(try connection.written() == #"{"parameters":{}}"# + "\0")
    }

    @Test("a NUL that comes for a call that waits for its turn gives its reply the ending")
    func lateNULForWaitingCall() throws {
        let connection = try Connection()
        try connection.receive(hold + "\n" + echo + "\n")
        try connection.receive("\0")
        connection.service.takeHeld().send([:])
        #expect(try connection.written() == #"{"parameters":{}}"# + "\n" + reply + "\0")
    }

    @Test("a oneway call owes no NUL")
    func lateNULAfterOneway() throws {
        let connection = try Connection()
        try connection.receive(#"{"method":"org.example.test.Echo","oneway":true}"# + "\n")
        try connection.receive("\0" + echo + "\0")
        #expect(try connection.written() == reply + "\0")
    }

    @Test("the replies of one burst are written at once")
    func oneWrite() throws {
        let connection = try Connection()
        try connection.receive(String(repeating: echo + "\0", count: 20))
        #expect(try connection.channel.readOutbound(as: ByteBuffer.self)?.readableBytes == 20 * (reply.utf8.count + 1))
        #expect(try connection.channel.readOutbound(as: ByteBuffer.self) == nil)
    }

    @Test("reading stops at the limit of unanswered calls, and goes on when there is room")
    func readingStops() throws {
        var limits = VarlinkLimits()
        limits.unansweredCalls = 3
        let connection = try Connection(limits: limits)
        let reads = ReadCounter()
        try connection.channel.pipeline.syncOperations.addHandler(reads, position: .first)
        try connection.receive(hold + "\0" + hold + "\0")
        connection.channel.read()
        #expect(reads.count == 1)
        try connection.receive(hold + "\0")
        connection.channel.read()
        connection.channel.read()
        #expect(reads.count == 1)
        connection.service.takeHeld().send([:])
        #expect(reads.count == 2)
    }

    @Test("a stream has the same replies in whatever pieces it comes", arguments: 0..<30)
    func anyPieces(seed: UInt64) throws {
        var generator = SplitMix(state: seed)
        let words = [
            echo + "\0", echo + "\n", echo + "\n\0", echo, "\n", "\0", " ", "{}\0", "{}\n", "{\n}\n", "{", "}", "\"", "x",
            #"{"method":"org.example.test.Stream","parameters":{"count":2},"more":true}"# + "\n",
            #"{"method":"org.example.test.Echo","oneway":true}"# + "\0",
            echo.split(separator: ",").joined(separator: "\n,\n") + "\n",
        ]
        for _ in 0..<30 {
            let bytes = (0..<Int.random(in: 1...6, using: &generator)).flatMap { _ in Array((words.randomElement(using: &generator) ?? "").utf8) }
            let whole = try Connection()
            try whole.receive(bytes)
            let pieces = try Connection()
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...min(rest.count, 40), using: &generator)
                try pieces.receive(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            // If a newline's reply went out before the NUL came, it ends in both.
            let bodies = { (text: String) in text.split { $0 == "\0" || $0 == "\n" } }
            let expected = try whole.written()
            let found = try pieces.written()
            #expect(bodies(found) == bodies(expected), "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
            // After a broken message nothing is read any more, a late NUL neither.
            #expect(pieces.handler.phase == whole.handler.phase)
            if whole.handler.phase == .serving { #expect(found.utf8.last == expected.utf8.last) }
        }
    }

    private final class ReadCounter: ChannelOutboundHandler {
        typealias OutboundIn = Never
        var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }
}
