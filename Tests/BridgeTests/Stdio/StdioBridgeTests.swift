import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import Bridge
@testable import BridgeCore

@Suite("The bridge over standard input and output")
struct StdioBridgeTests {
    let client = StdioClient()

    private func started(
        _ limits: StdioLimits = StdioLimits(), input: Int32? = nil, output: Int32? = nil,
        script: @escaping @Sendable (SessionEvent) -> [SessionAction]
    ) throws -> NIOLoopBound<ScriptedBridge> {
        try client.on { [client] in
            let bridge = ScriptedBridge(client, limits, input: input, output: output, script: script)
            return NIOLoopBound(bridge, eventLoop: client.loop)
        }
    }

    private func start(_ bridge: NIOLoopBound<ScriptedBridge>) throws { try client.on { bridge.value.start() } }

    private static func request(_ url: String) -> BridgeRequest { BridgeRequest(method: "POST", url: url, body: .bytes([0x7B, 0x7D])) }

    // MARK: Order

    @Test("all that follows from one event is done before the next one is handled, even where a request fails at once")
    func order() throws {
        let bridge = try started { event in
            switch event {
            case .line: [.write(Array("before".utf8)), .send(ExchangeID(1), Self.request("first"), isFirst: true), .write(Array("after".utf8))]
            case .failed: [.write(Array("failed".utf8)), .send(ExchangeID(2), Self.request("second"), isFirst: false)]
            default: []
            }
        }
        try client.on {
            bridge.value.upstream.begun = { exchange in
                if exchange.request.url == "first" { exchange.handler.failed(BridgeFailure(.unreachable, "no connection")) }
            }
            bridge.value.start()
        }
        client.writing.write("{}\n")
        #expect(try client.reading.lines(3) == ["before", "after", "failed"])
        #expect(try client.notes.lines(4) == ["line {}", "begun first", "failed 1 no connection", "begun second"])
        try client.on {
            #expect(bridge.value.upstream.waits == [.seconds(8), .zero])
            #expect(bridge.value.upstream.accounts == ["work", "work"])
        }
    }

    @Test("an answer is reported from its head to its end, and nothing of one that was cancelled")
    func answers() throws {
        let bridge = try started { event in
            switch event {
            case .line(let line):
                line.first == UInt8(ascii: "c")
                    ? [.cancel(ExchangeID(2))]
                    : [.send(ExchangeID(1), Self.request("kept"), isFirst: false), .send(ExchangeID(2), Self.request("left"), isFirst: false)]
            default: []
            }
        }
        try start(bridge)
        client.writing.write("send\n")
        #expect(try client.notes.lines(3) == ["line send", "begun kept", "begun left"])
        client.writing.write("cancel\r\n")
        #expect(try client.notes.lines(2) == ["line cancel", "cancelled left"])
        try client.on {
            let (kept, left) = (bridge.value.upstream.running[0].handler, bridge.value.upstream.running[1].handler)
            for handler in [left, kept] {
                handler.answered(BridgeAnswer(status: 200))
                handler.received(ByteBuffer(string: "abc"))
                handler.ended()
            }
        }
        #expect(try client.notes.lines(3) == ["answered 1 200", "received 1 3", "ended 1"])
    }

    @Test("a time that is set again counts from then, and each comes once")
    func timers() throws {
        let bridge = try started { event in
            guard case .line = event else { return [] }
            let timer = SessionTimer.resume(ExchangeID(1))
            return [.wait(timer, milliseconds: 86_400_000), .wait(timer, milliseconds: 1), .wait(.resume(ExchangeID(2)), milliseconds: -5)]
        }
        try start(bridge)
        client.writing.write("a\n")
        let notes = Set(try client.notes.lines(3))
        #expect(notes == ["line a", "elapsed resume 1", "elapsed resume 2"])
    }

    @Test("the time for an answer that nobody needs does not end before the server has the request")
    func unsent() throws {
        let bridge = try started { event in
            guard case .line = event else { return [] }
            return [.send(ExchangeID(1), Self.request("note"), isFirst: false), .wait(.rest(ExchangeID(1)), milliseconds: 20)]
        }
        try client.on { bridge.value.upstream.begun = { $0.isSent = false } }
        try start(bridge)
        client.writing.write("a\n")
        #expect(try client.notes.lines(2) == ["line a", "begun note"])
        // Behind several ends of the time.
        try client.loop.scheduleTask(in: .milliseconds(100)) { [notes = client.notes] in notes.write("sent\n") }.futureResult.wait()
        try client.on { bridge.value.upstream.running[0].isSent = true }
        #expect(try client.notes.lines(2) == ["sent", "elapsed rest 1"])
    }

    @Test("a line that is too long is answered, and what follows it is read")
    func tooLong() throws {
        let bridge = try started { event in if case .line(let line) = event { [.write(line)] } else { [] } }
        try start(bridge)
        let part = [UInt8](repeating: 0x20, count: 1 << 20)
        for _ in 0..<17 { client.writing.write(part) }
        client.writing.write("\nnext\n")
        let lines = try client.reading.lines(2)
        #expect(lines[0].contains("-33413") && lines[0].contains("16 MiB"))
        #expect(lines[1] == "next")
    }

    // MARK: Back-pressure

    @Test("a client that does not read holds up the answers, those to later requests too, and all of it comes when it reads")
    func slowReader() throws {
        let bridge = try started { event in
            switch event {
            case .line(let line): [.send(ExchangeID(Int(line[0])), Self.request("stream"), isFirst: false)]
            case .received(_, let bytes): [.write(bytes)]
            default: []
            }
        }
        let part = ByteBuffer(repeating: 0x61, count: 65_535)
        try client.on {
            // As much as is wanted, up to 4 MiB.
            bridge.value.upstream.begun = { [client] exchange in
                let running = NIOLoopBound(exchange, eventLoop: client.loop)
                let sent = NIOLoopBoundBox(0, eventLoop: client.loop)
                @Sendable func push() {
                    guard !running.value.isPaused, sent.value < 64 else { return }
                    sent.value += 1
                    running.value.handler.received(part)
                    client.loop.execute { push() }
                }
                exchange.resumed = push
                client.loop.execute { push() }
            }
            bridge.value.start()
        }
        client.writing.write("a\n")
        var notes: [String] = []
        while notes.last != "paused" { notes.append(try #require(try client.notes.line())) }
        let received = notes.filter { $0.hasPrefix("received") }.count
        // What the pipe and the limit hold, and the one that went over it.
        #expect(received <= (65_536 + (256 << 10)) / 65_536 + 2, "\(notes)")
        client.writing.write("b\n")
        #expect(try client.notes.lines(3) == ["line b", "begun stream", "paused"])
        var count = 0
        while count < 128 * 65_536 { count += try client.reading.bytes().count }
        #expect(count == 128 * 65_536)
        try client.on { #expect(bridge.value.output.waiting == 0) }
    }

    @Test("nothing is read from the client while the session does not want it, not even what has arrived, and all of it afterwards")
    func pausedInput() throws {
        let bridge = try started { event in
            switch event {
            case .line(let line) where line.count == 5: [.send(ExchangeID(1), Self.request("x"), isFirst: false), .pauseInput(true)]
            case .line(let line): [.write(line)]
            case .ended: [.pauseInput(false)]
            default: []
            }
        }
        client.writing.write("first\nsecond\n")
        try start(bridge)
        #expect(try client.notes.lines(2) == ["line first", "begun x"])
        // What a pipe holds, and no more: nobody reads it.
        _ = fcntl(client.writing.writing, F_SETFL, O_NONBLOCK)
        let part = [UInt8](String(repeating: "x", count: 63).utf8) + [0x0A]
        var count = 0
        while count < 100_000, write(client.writing.writing, part, part.count) == part.count { count += 1 }
        #expect(count <= 1024)
        try client.on {
            #expect(bridge.value.input.isPaused)
            bridge.value.upstream.running[0].handler.ended()
        }
        #expect(try client.notes.lines(2) == ["ended 1", "line second"])
        let lines = try client.reading.lines(count + 1)
        #expect(lines.first == "second" && lines.dropFirst().allSatisfy { $0.utf8.count == 63 })
    }

    @Test("a client that sends mistakes and reads nothing is not read any more at some point")
    func mistakes() throws {
        // Each line of one byte is answered with 64 KiB.
        let bridge = try started { event in if case .line = event { [.write([UInt8](repeating: 0x61, count: 65_535))] } else { [] } }
        try start(bridge)
        client.writing.write(String(repeating: "a\n", count: 200))
        var count = 0
        while count < 200 * 65_536 {
            count += try client.reading.bytes().count
            if count % (1 << 20) < 65_536 { try client.on { #expect(bridge.value.output.waiting <= (1 << 20) + 65_536) } }
        }
    }

    // MARK: The end

    @Test("the end of standard input is reported once, and what was answered is written before the program ends")
    func end() throws {
        let bridge = try started(StdioLimits(lastExchange: .hours(1), lastOutput: .hours(1))) { event in
            if case .inputEnded = event { [.write([UInt8](repeating: 0x61, count: 1 << 20)), .end(status: 0)] } else { [] }
        }
        try start(bridge)
        client.writing.write("unfinished")
        client.writing.closeWriting()
        #expect(try client.notes.lines(2) == ["line unfinished", "input ended"])
        var count = 0
        while count <= 1 << 20 { count += try client.reading.bytes().count }
        #expect(try client.notes.line() == "finished 0")
        try client.on { bridge.value.bridge.stop() }
        client.notes.write("nothing more\n")
        #expect(try client.notes.line() == "nothing more")
    }

    @Test("a client that does not read does not delay the end")
    func fullPipe() throws {
        let bridge = try started(StdioLimits(lastOutput: .milliseconds(1))) { event in
            if case .inputEnded = event { [.write([UInt8](repeating: 0x61, count: 1 << 20)), .end(status: 3)] } else { [] }
        }
        try start(bridge)
        client.writing.closeWriting()
        #expect(try client.notes.lines(2) == ["input ended", "finished 3"])
    }

    @Test("a client that closes standard output counts as disconnected")
    func closedOutput() throws {
        let bridge = try started { event in if case .inputEnded = event { [.end(status: 0)] } else { [] } }
        try start(bridge)
        client.reading.closeReading()
        #expect(try client.notes.lines(2) == ["input ended", "finished 0"])
    }

    @Test("a client that closes a full standard output counts as disconnected")
    func closedFullOutput() throws {
        let bridge = try started(StdioLimits(lastOutput: .hours(1))) { event in
            switch event {
            case .line: [.write([UInt8](repeating: 0x61, count: 1 << 20))]
            case .inputEnded: [.end(status: 0)]
            default: []
            }
        }
        try start(bridge)
        client.writing.write("a\n")
        _ = try client.reading.bytes(1)
        client.reading.closeReading()
        #expect(try client.notes.lines(3) == ["line a", "input ended", "finished 0"])
    }

    @Test("the end of input counts also while nothing is read")
    func endWhilePaused() throws {
        let bridge = try started { event in
            switch event {
            case .line: [.pauseInput(true)]
            case .inputEnded: [.end(status: 0)]
            default: []
            }
        }
        try start(bridge)
        client.writing.write("a\nb\n")
        #expect(try client.notes.line() == "line a")
        client.writing.closeWriting()
        #expect(try client.notes.lines(2) == ["input ended", "finished 0"])
    }

    @Test("the last request is waited for, and for no longer than its time", arguments: [true, false])
    func lastRequest(isAnswered: Bool) throws {
        #expect(StdioLimits().lastExchange == .milliseconds(100))
        let limits = StdioLimits(lastExchange: isAnswered ? .hours(1) : .milliseconds(1), lastOutput: .hours(1))
        let bridge = try started(limits) { event in
            if case .inputEnded = event { [.send(ExchangeID(1), Self.request("DELETE"), isFirst: false), .end(status: 0)] } else { [] }
        }
        try start(bridge)
        client.writing.closeWriting()
        #expect(try client.notes.lines(2) == ["input ended", "begun DELETE"])
        if isAnswered {
            try client.on { bridge.value.upstream.running[0].handler.ended() }
            #expect(try client.notes.line() == "finished 0")
        } else {
            #expect(try client.notes.lines(2) == ["cancelled DELETE", "finished 0"])
        }
    }

    // MARK: What standard input and output are

    @Test("a file can be standard input, and another one standard output")
    func files() throws {
        let file = try #require(tmpfile())
        let result = try #require(tmpfile())
        defer {
            fclose(file)
            fclose(result)
        }
        // More than one read, and few notes: the event loop would wait for room in their pipe, and this thread for the event loop.
        for number in 1...3000 { fputs("line \(number), of more than forty bytes, so that its note is short\n", file) }
        fflush(file)
        lseek(fileno(file), 0, SEEK_SET)
        let bridge = try started(input: fileno(file), output: fileno(result)) { event in
            switch event {
            case .line(let line): [.write(line)]
            case .inputEnded: [.end(status: 0)]
            default: []
            }
        }
        try start(bridge)
        var last: String?
        while last != "finished 0" { last = try client.notes.line() }
        #expect(lseek(fileno(result), 0, SEEK_END) == lseek(fileno(file), 0, SEEK_END))
    }

    @Test("a pipe or a terminal that others use, too, does not become one that never blocks", arguments: [false, true])
    func shared(isTerminal: Bool) throws {
        var (one, other): (Int32, Int32) = (-1, -1)
        if isTerminal {
            try #require(openpty(&one, &other, nil, nil, nil) == 0)
        } else {
            (other, one) = Lines.ends()
        }
        defer {
            close(one)
            close(other)
        }
        guard case .waited(let own) = StdioDescriptor(other, flags: O_RDONLY) else { return #expect(Bool(false), "it is not waited for") }
        defer { close(own) }
        #expect(fcntl(own, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(other, F_GETFL) & O_NONBLOCK == 0)
    }

    @Test("what epoll refuses is read and written at once", arguments: ["/dev/null", "/dev/zero", "/", "/etc/passwd"])
    func ready(path: String) {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        #expect(StdioDescriptor(descriptor, flags: O_RDONLY) == .ready(descriptor))
    }
}
