@testable import BridgeCore
import Testing

/// xorshift, so that a failure can be repeated by its seed.
private struct Chance {
    var state: UInt64
    mutating func next(_ below: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(below))
    }
    mutating func oneIn(_ count: Int) -> Bool { next(count) == 0 }
}

/// A server and a client that do what comes, in any order.
private struct Play {
    var session = StreamableSession(url: "https://mcp.example.com/mcp", limits: SessionLimits(calls: 4))
    var chance: Chance
    var open: [ExchangeID: (request: BridgeRequest, hasHead: Bool)] = [:]
    var timers: [SessionTimer] = []
    /// What the client asked, and what it was answered.
    var asked: [Int: Int] = [:]
    var answered: [Int: Int] = [:]
    var cancelled: Set<Int> = []
    /// How often a call came to the server, and how often it refused one in a way that lets it be sent again.
    var carried: [Int: Int] = [:]
    var refused: [Int: Int] = [:]
    var sessions = 1
    var problem: String?

    mutating func handle(_ event: SessionEvent) {
        for action in session.handle(event) {
            switch action {
            case .send(let id, let request, _):
                open[id] = (request, false)
                if let call = Self.call(request) { carried[call, default: 0] += 1 }
            case .cancel(let id): open[id] = nil
            case .write(let line): written(line)
            case .wait(let timer, let milliseconds):
                timers.append(timer)
                if milliseconds <= 0 || milliseconds > 600_000 { problem = "a pause of \(milliseconds) ms" }
            case .tell, .pauseInput, .end: break
            }
        }
    }

    /// The id of a request that counts, as 100 and more.
    private static func id(_ bytes: [UInt8]) -> Int? {
        (try? MCPBatch(reading: bytes))?.messages.first.flatMap { $0.kind == .notification ? nil : Int(String(decoding: $0.id.bytes, as: UTF8.self)) }
    }

    static func call(_ request: BridgeRequest) -> Int? {
        guard case .bytes(let bytes) = request.body, let id = id(bytes), id >= 100 else { return nil }
        return id
    }

    private mutating func written(_ line: [UInt8]) {
        if line.contains(0x0A) || line.contains(0x0D) { problem = "a line break in a line" }
        guard let id = Self.id(line), id >= 100 else { return }
        answered[id, default: 0] += 1
        if answered[id, default: 0] > 1 { problem = "two answers to \(id)" }
    }

    mutating func play(_ steps: Int) {
        initialize()
        for step in 0..<steps where problem == nil {
            switch chance.next(10) {
            case 0, 1: ask(100 + step)
            case 2: if let id = asked.keys.sorted().randomElement(&chance), answered[id] == nil { cancel(id) }
            case 3: if let timer = timers.popLast() { handle(.elapsed(timer)) }
            case 4: if chance.oneIn(8) { initialize() }
            case 5: handle(.line(Array(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.utf8)))
            default: serve()
            }
        }
        // The server fails whatever it has; the stream of its own is tried for ever.
        for _ in 0..<50 where problem == nil {
            while let timer = timers.popLast() { handle(.elapsed(timer)) }
            for id in open.keys.sorted(by: { $0.number < $1.number }) where open.removeValue(forKey: id) != nil {
                handle(.failed(id, BridgeFailure(.interrupted, "cut", mayHaveReachedServer: true)))
            }
        }
    }

    private mutating func initialize() {
        handle(.line(Array(#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#.utf8)))
    }

    private mutating func ask(_ id: Int) {
        let meta = chance.oneIn(2) ? #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},"# : ""
        asked[id] = 1
        handle(.line(Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{\#(meta)"name":"t"}}"#.utf8)))
    }

    private mutating func cancel(_ id: Int) {
        cancelled.insert(id)
        handle(.line(Array(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id)}}"#.utf8)))
    }

    private mutating func serve() {
        guard let id = open.keys.sorted(by: { $0.number < $1.number }).randomElement(&chance), let exchange = open[id] else { return }
        guard exchange.hasHead else { return begin(id, exchange.request) }
        switch chance.next(4) {
        case 0:
            open[id] = nil
            handle(.ended(id))
        case 1:
            open[id] = nil
            handle(.failed(id, BridgeFailure(.interrupted, "cut", mayHaveReachedServer: true)))
        case 2: handle(.received(id, Array("id: \(chance.next(9))\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n\n".utf8)))
        default:
            // Its own answer, or that of another.
            var text = "null"
            if case .bytes(let bytes) = exchange.request.body, let message = try? MCPBatch(reading: bytes).messages.first, !chance.oneIn(4) {
                text = String(decoding: message.id.bytes, as: UTF8.self)
            } else if let other = asked.keys.sorted().randomElement(&chance) {
                text = "\(other)"
            }
            handle(.received(id, Array("data: {\"jsonrpc\":\"2.0\",\"id\":\(text),\"result\":{\"protocolVersion\":\"2025-11-25\"}}\n\n".utf8)))
        }
    }

    private mutating func begin(_ id: ExchangeID, _ request: BridgeRequest) {
        let statuses = [200, 200, 200, 202, 307, 400, 404, 405, 500, 503]
        let status = statuses[chance.next(statuses.count)]
        if chance.oneIn(8) {
            open[id] = nil
            return handle(.failed(id, BridgeFailure(.unreachable, "no connection")))
        }
        open[id]?.hasHead = true
        if status == 404 || status == 400 || status == 307, let call = Self.call(request) { refused[call, default: 0] += 1 }
        sessions += 1
        var headers = [(name: "Content-Type", value: "text/event-stream"), (name: "Mcp-Session-Id", value: "s\(sessions)")]
        if status == 307 { headers.append(("Location", "/mcp/x")) }
        handle(.answered(id, BridgeAnswer(status: status, headers: headers)))
        if status == 400, open[id] != nil {
            handle(.received(id, Array(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32020,"message":"no"}}"#.utf8)))
        }
    }
}

extension Array {
    fileprivate func randomElement(_ chance: inout Chance) -> Element? { isEmpty ? nil : self[chance.next(count)] }
}

@Suite("Whatever a server does")
struct SessionChanceTests {
    @Test("each request has one answer, and is sent again only where it was refused", arguments: 1...60)
    func oneAnswer(seed: Int) {
        var play = Play(chance: Chance(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15))
        play.play(300)
        #expect(play.problem == nil)
        for id in play.asked.keys {
            #expect(play.answered[id] == 1 || play.cancelled.contains(id), "request \(id)")
            #expect(play.carried[id, default: 0] <= 1 + play.refused[id, default: 0], "request \(id)")
        }
        #expect(play.session.inUse.isEmpty && play.session.queue.isEmpty && play.session.lost.isEmpty && play.session.broken.isEmpty)
        #expect(play.session.notices.isEmpty)
    }
}
