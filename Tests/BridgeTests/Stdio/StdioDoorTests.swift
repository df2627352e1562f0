import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import Bridge
@testable import BridgeCore

@Suite("The way to a session over standard input and output")
struct StdioDoorTests {
    let client = StdioClient()

    private static let refusal = StdioRefusal(sentence: "the daemon is not there; start it", status: 4, code: -33500)

    /// A door whose daemon gives these answers in turn, the last one from then on.
    final class Opened {
        let door: StdioDoor
        private let input: StdioInput
        private let output: StdioOutput

        init(_ client: StdioClient, isTerminal: Bool, answers: [StdioRefusal?]) {
            input = StdioInput(ScriptedBridge.taken(client.input, O_RDONLY), eventLoop: client.loop)
            output = StdioOutput(ScriptedBridge.taken(client.output, O_WRONLY), eventLoop: client.loop)
            var rest = answers[...]
            let (loop, notes) = (client.loop, client.notes)
            door = StdioDoor(
                StdioEnds(input: input, output: output, errors: ErrorOutput(descriptor: notes.writing), eventLoop: loop),
                isTerminal: isTerminal,
                route: {
                    notes.write("asked\n")
                    let answer = rest.count > 1 ? rest.removeFirst() : rest[rest.startIndex]
                    // The end of the input comes meanwhile.
                    if let answer { return loop.scheduleTask(in: .milliseconds(20)) { throw answer }.futureResult }
                    return loop.makeSucceededFuture(StdioRoute(url: "https://mcp.example/mcp", account: "work"))
                },
                open: { route, line in
                    var text = "none"
                    if case .line(let bytes)? = line { text = String(decoding: bytes, as: UTF8.self) }
                    notes.write("opened \(route.url) \(text)\n")
                },
                finished: { notes.write("finished \($0)\n") })
            input.start()
            output.start()
            door.start()
        }
    }

    private func open(isTerminal: Bool = false, _ answers: [StdioRefusal?]) throws -> NIOLoopBound<Opened> {
        try client.on { [client] in NIOLoopBound(Opened(client, isTerminal: isTerminal, answers: answers), eventLoop: client.loop) }
    }

    @Test("a session begins before anything is read")
    func begins() throws {
        let door = try open([nil])
        #expect(try client.notes.lines(2) == ["asked", "opened https://mcp.example/mcp none"])
        try client.on { door.value.door.stop() }
    }

    @Test("a user at a terminal gets the message, and the program exits with the status")
    func terminal() throws {
        let door = try open(isTerminal: true, [Self.refusal])
        #expect(try client.notes.lines(3) == ["asked", "postern-mcp: the daemon is not there; start it", "finished 4"])
        try client.on { door.value.door.stop() }
    }

    @Test("so does a client that closes standard input without a request")
    func closed() throws {
        let door = try open([Self.refusal])
        client.writing.closeWriting()
        #expect(try client.notes.lines(3) == ["asked", "postern-mcp: the daemon is not there; start it", "finished 4"])
        try client.on { door.value.door.stop() }
    }

    @Test("what was asked before standard input was closed is answered with it, too")
    func closedBehind() throws {
        client.writing.write("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n")
        client.writing.closeWriting()
        let door = try open([Self.refusal])
        #expect(try client.reading.line()?.contains("the daemon is not there") == true)
        #expect(try client.notes.lines(4).last == "finished 4")
        try client.on { door.value.door.stop() }
    }

    @Test("a client's requests are answered with the sentence, until the daemon is there; what it sends is asked about one by one")
    func requests() throws {
        let door = try open([Self.refusal, Self.refusal, Self.refusal, nil])
        let (initialize, note) = (#"{"jsonrpc":"2.0","id":"a\u0031","method":"initialize"}"#, #"{"jsonrpc":"2.0","method":"notifications/x"}"#)
        client.writing.write("\(initialize)\n\(note)\n\(initialize)\n")
        #expect(
            try client.notes.lines(6) == [
                "asked", "postern-mcp: the daemon is not there; start it", "asked", "asked", "asked", "opened https://mcp.example/mcp \(initialize)",
            ])
        #expect(
            try client.reading.line()
                == #"{"jsonrpc":"2.0","id":"a\u0031","error":{"code":-33500,"message":"the daemon is not there; start it"}}"#)
        try client.on { door.value.door.stop() }
    }

    @Test("a client that disconnects ends it", arguments: [true, false])
    func gone(closesOutput: Bool) throws {
        let door = try open([Self.refusal])
        #expect(try client.notes.lines(2) == ["asked", "postern-mcp: the daemon is not there; start it"])
        if closesOutput { client.reading.closeReading() } else { try client.on { door.value.door.stop() } }
        #expect(try client.notes.line() == "finished 4")
    }
}
