@testable import BridgeCore
import Testing

/// A session whose actions are counted, for what is too much for a trace.
private struct Driver {
    var session: StreamableSession
    var sent: [(id: ExchangeID, line: String)] = []
    var written: [String] = []
    var cancelled: [ExchangeID] = []
    var waits: [SessionTimer: Int64] = [:]
    var isPaused = false
    var told: [String] = []

    init(_ limits: SessionLimits = SessionLimits()) { session = StreamableSession(url: "https://mcp.example.com/mcp", limits: limits) }

    mutating func handle(_ event: SessionEvent) {
        for action in session.handle(event) {
            switch action {
            case .send(let id, let request, _):
                if case .bytes(let bytes) = request.body { sent.append((id, String(decoding: bytes, as: UTF8.self))) }
            case .write(let line): written.append(String(decoding: line, as: UTF8.self))
            case .cancel(let id): cancelled.append(id)
            case .pauseInput(let pauses): isPaused = pauses
            case .wait(let timer, let milliseconds): waits[timer] = milliseconds
            case .tell(let sentence): told.append(sentence)
            case .end: break
            }
        }
    }

    mutating func call(_ id: Int, padding: Int = 0) {
        let padding = padding > 0 ? #","params":{"p":"\#(String(repeating: "x", count: padding))"}"# : ""
        handle(.line(Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call"\#(padding)}"#.utf8)))
    }

    mutating func answers(_ exchange: ExchangeID, _ type: String, _ body: String, ends: Bool) {
        handle(.answered(exchange, BridgeAnswer(status: 200, headers: [("Content-Type", type)])))
        handle(.received(exchange, Array(body.utf8)))
        if ends { handle(.ended(exchange)) }
    }

    func response(_ id: Int) -> String { #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"# }
}

@Suite("What is under way at once")
struct SessionFlowTests {
    @Test("is 64 requests; others follow in their order as those end, and a response of the client does not wait")
    func calls() {
        var driver = Driver()
        for id in 0..<70 { driver.call(id) }
        #expect(driver.sent.count == 64 && !driver.isPaused)
        driver.handle(.line(Array(#"{"jsonrpc":"2.0","id":"s","result":{}}"#.utf8)))
        #expect(driver.sent.count == 65)
        driver.answers(driver.sent[3].id, "application/json", driver.response(3), ends: true)
        #expect(driver.sent.last?.line.contains("\"id\":64,") == true)
        driver.handle(.failed(driver.sent[5].id, BridgeFailure(.unreachable, "no connection")))
        #expect(driver.sent.last?.line.contains("\"id\":65,") == true)
    }

    @Test("leaves out the oldest streams that go on after their response, once others need the room")
    func lingering() {
        var driver = Driver()
        for id in 0..<64 {
            driver.call(id)
            driver.answers(driver.sent[id].id, "text/event-stream", "data: \(driver.response(id))\n\n", ends: false)
        }
        #expect(driver.cancelled.isEmpty)
        driver.call(64)
        driver.call(65)
        #expect(driver.cancelled == [driver.sent[0].id, driver.sent[1].id] && driver.sent.count == 66)
    }

    @Test("pauses the client when it takes up too much, until some of it is done")
    func bytes() {
        var driver = Driver(SessionLimits(bytes: 64 << 10))
        for id in 0..<8 { driver.call(id, padding: 8 << 10) }
        #expect(driver.isPaused && driver.sent.count == 8)
        driver.answers(driver.sent[0].id, "application/json", driver.response(0), ends: true)
        #expect(!driver.isPaused && driver.written == [driver.response(0)])
    }

    @Test("pauses the client with too many requests that wait")
    func waiting() {
        var driver = Driver(SessionLimits(waiting: 10))
        for id in 0..<75 { driver.call(id) }
        #expect(driver.isPaused && driver.sent.count == 64)
        driver.answers(driver.sent[0].id, "application/json", driver.response(0), ends: true)
        #expect(!driver.isPaused)
    }

    @Test("is a limited number of bytes a message, and a call with a longer answer fails alone", arguments: ["application/json", "text/event-stream"])
    func tooLong(type: String) {
        var driver = Driver(SessionLimits(message: 16 << 10))
        driver.call(1)
        driver.call(2)
        driver.answers(driver.sent[0].id, type, "data: " + String(repeating: "x", count: 17 << 10) + "\n\n", ends: false)
        #expect(driver.cancelled == [driver.sent[0].id])
        #expect(driver.written.count == 1 && driver.written[0].contains("\"id\":1,") && driver.written[0].contains("16 MiB"))
        driver.answers(driver.sent[1].id, "application/json", driver.response(2), ends: true)
        #expect(driver.written.last == driver.response(2))
    }

    @Test("is a limited number of bytes of answers together, and the one that is too much fails")
    func answers() {
        var driver = Driver(SessionLimits(bytes: 64 << 10))
        let part = String(repeating: " ", count: 15 << 10)
        for id in 0..<6 {
            driver.call(id)
            driver.answers(driver.sent[id].id, "application/json", part, ends: false)
        }
        #expect(driver.cancelled == [driver.sent[4].id, driver.sent[5].id] && driver.written.count == 2)
    }

    @Test("is 64 requests, 64 MiB and 16 MiB a message")
    func numbers() {
        let limits = SessionLimits()
        #expect((limits.calls, limits.bytes, limits.message) == (64, 64 << 20, 16 << 20))
    }

    @Test("ends even if an answer that nobody needs does not", arguments: [(500, ""), (200, "text/html"), (202, "text/html"), (404, "")])
    func refusals(status: Int, type: String) {
        var driver = Driver(SessionLimits(errorBody: 16 << 10, drained: 16 << 10))
        driver.call(1)
        driver.handle(.answered(driver.sent[0].id, BridgeAnswer(status: status, headers: [("Content-Type", type)])))
        driver.handle(.received(driver.sent[0].id, Array(repeating: 0x20, count: 17 << 10)))
        #expect(driver.cancelled == [driver.sent[0].id] && driver.written.count == 1)
    }

    @Test("is not blocked by an unneeded answer that continues", arguments: [(500, ""), (200, "text/html"), (202, "")])
    func endless(status: Int, type: String) {
        var driver = Driver()
        // The second notification waits for the first one.
        for _ in 0..<2 { driver.handle(.line(Array(#"{"jsonrpc":"2.0","method":"notifications/x"}"#.utf8))) }
        driver.call(1)
        let ids = driver.sent.map(\.id)
        for id in ids { driver.handle(.answered(id, BridgeAnswer(status: status, headers: [("Content-Type", type)]))) }
        #expect(ids.count == 2 && ids.allSatisfy { driver.waits[.rest($0)] == 10_000 })
        for id in ids { driver.handle(.elapsed(.rest(id))) }
        #expect(driver.cancelled == ids && driver.written.count == 1 && driver.sent.count == 3)
    }

    @Test("is not blocked by a server that does not answer a notification")
    func silent() {
        var driver = Driver()
        for line in [#"{"jsonrpc":"2.0","method":"notifications/x"}"#, #"{"jsonrpc":"2.0","method":"notifications/y"}"#] {
            driver.handle(.line(Array(line.utf8)))
        }
        #expect(driver.sent.count == 1 && driver.waits[.rest(driver.sent[0].id)] == 60_002)
        driver.handle(.elapsed(.rest(driver.sent[0].id)))
        #expect(driver.cancelled == [driver.sent[0].id] && driver.sent.count == 2)
        #expect(driver.told == ["the server has not answered notifications/x; it may have received it"])
    }

    @Test("takes as long as it takes where it has a message", arguments: ["application/json", "text/event-stream"])
    func messages(type: String) {
        var driver = Driver()
        driver.call(1)
        driver.answers(driver.sent[0].id, type, "", ends: false)
        #expect(driver.waits.isEmpty)
    }
}
