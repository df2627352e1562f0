import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import Bridge
@testable import BridgeCore

/// The client's ends of standard input and output, and an event loop.
final class StdioClient: Sendable {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    /// What the program has.
    let input: Int32
    let output: Int32
    /// What the client has.
    let writing: Lines
    let reading: Lines
    /// What a test observes besides.
    let notes = Lines.pipe()

    var loop: any EventLoop { group.any() }

    init() {
        let (toProgram, fromProgram) = (Lines.ends(), Lines.ends())
        (input, output) = (toProgram.reading, fromProgram.writing)
        writing = Lines(reading: -1, writing: toProgram.writing)
        reading = Lines(reading: fromProgram.reading, writing: -1)
    }

    /// Everything of the bridge is used on its event loop alone.
    func on<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) throws -> Value { try loop.submit(work).wait() }

    deinit {
        group.shutdownGracefully { _ in }
    }
}

/// A pipe of lines that is read with a limit of time, so that a test fails instead of hanging.
final class Lines: Sendable {
    let reading: Int32
    let writing: Int32

    init(reading: Int32, writing: Int32) { (self.reading, self.writing) = (reading, writing) }

    static func ends() -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        #expect(Glibc.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    static func pipe() -> Lines {
        let ends = ends()
        return Lines(reading: ends.reading, writing: ends.writing)
    }

    func write(_ text: String) { write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(writing, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// As many bytes as there are, at most so many; empty at the end.
    func bytes(_ most: Int = 65_536) throws -> [UInt8] {
        var waiting = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        try #require(poll(&waiting, 1, 60_000) == 1, "nothing came")
        var buffer = [UInt8](repeating: 0, count: most)
        let count = read(reading, &buffer, most)
        return Array(buffer[..<max(0, count)])
    }

    /// The next line; nil at the end. Byte by byte: what follows stays in the pipe.
    func line() throws -> String? {
        var line: [UInt8] = []
        while true {
            let next = try bytes(1)
            if next.isEmpty { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
            if next[0] == 0x0A { return String(decoding: line, as: UTF8.self) }
            line += next
        }
    }

    func lines(_ count: Int) throws -> [String] { try (0..<count).map { _ in try #require(try line()) } }

    func closeReading() { close(reading) }
    func closeWriting() { close(writing) }
}

/// A session that does what a test says, and notes what happens.
struct ScriptedMachine: SessionMachine {
    let notes: Lines
    let script: (SessionEvent) -> [SessionAction]

    func handle(_ event: SessionEvent) -> [SessionAction] {
        notes.write(Self.name(event) + "\n")
        return script(event)
    }

    private static func name(_ event: SessionEvent) -> String {
        switch event {
        // What nobody reads would fill the pipe.
        case .line(let bytes): "line \(bytes.count < 40 ? String(decoding: bytes, as: UTF8.self) : "of \(bytes.count)")"
        case .inputEnded: "input ended"
        case .answered(let id, let answer): "answered \(id.number) \(answer.status)"
        case .received(let id, let bytes): "received \(id.number) \(bytes.count)"
        case .ended(let id): "ended \(id.number)"
        case .failed(let id, let failure): "failed \(id.number) \(failure.message)"
        case .elapsed(.resume(let id)): "elapsed resume \(id.number)"
        case .elapsed(.rest(let id)): "elapsed rest \(id.number)"
        }
    }
}

/// A server's side that a test plays.
final class StdioUpstream: Upstream {
    final class Running: AuthorizedExchange {
        let request: BridgeRequest
        let handler: any AuthorizedExchangeHandler
        private let notes: Lines
        var isPaused = false {
            didSet {
                if isPaused != oldValue { notes.write(isPaused ? "paused\n" : "resumed\n") }
                if !isPaused { resumed?() }
            }
        }
        var resumed: (() -> Void)?
        var isSent = true

        init(_ request: BridgeRequest, _ handler: any AuthorizedExchangeHandler, _ notes: Lines) {
            (self.request, self.handler, self.notes) = (request, handler, notes)
        }

        func write(_ bytes: ByteBuffer) -> EventLoopFuture<Void> { fatalError("no request of a session streams its body") }
        func endBody() {}
        func cancel() { notes.write("cancelled \(request.url)\n") }
    }

    private let notes: Lines
    private(set) var running: [Running] = []
    private(set) var waits: [TimeAmount] = []
    private(set) var accounts: [String?] = []
    var begun: (Running) -> Void = { _ in }

    init(_ notes: Lines) { self.notes = notes }

    func begin(
        _ request: BridgeRequest, account: String?, waitsForPerson: TimeAmount, handler: any AuthorizedExchangeHandler
    ) -> any AuthorizedExchange {
        let exchange = Running(request, handler, notes)
        notes.write("begun \(request.url)\n")
        running.append(exchange)
        waits.append(waitsForPerson)
        accounts.append(account)
        begun(exchange)
        return exchange
    }
}

/// A bridge with scripted ends. Only the event loop touches it.
final class ScriptedBridge {
    let upstream: StdioUpstream
    let bridge: StdioBridge<ScriptedMachine>
    let input: StdioInput
    let output: StdioOutput

    init(
        _ client: StdioClient, _ limits: StdioLimits = StdioLimits(), input: Int32? = nil, output: Int32? = nil,
        script: @escaping (SessionEvent) -> [SessionAction]
    ) {
        let notes = client.notes
        upstream = StdioUpstream(notes)
        self.input = StdioInput(Self.taken(input ?? client.input, O_RDONLY), eventLoop: client.loop)
        self.output = StdioOutput(Self.taken(output ?? client.output, O_WRONLY), eventLoop: client.loop)
        bridge = StdioBridge(
            machine: ScriptedMachine(notes: notes, script: script), upstream: upstream, account: "work", limits: limits,
            ends: StdioEnds(
                input: self.input, output: self.output, errors: ErrorOutput(descriptor: notes.writing), eventLoop: client.loop)
        ) { notes.write("finished \($0)\n") }
    }

    /// The test's own copy would keep the pipe open.
    static func taken(_ number: Int32, _ flags: Int32) -> StdioDescriptor {
        let descriptor = StdioDescriptor(number, flags: flags)
        if case .waited = descriptor { close(number) }
        return descriptor
    }

    func start() {
        input.start()
        output.start()
        bridge.start()
    }
}
