import Glibc
import StrictJSON
import Testing
import Varlink
import VarlinkServer

@Suite("Clients that leave")
struct DepartingClientTests {
    private let hold = #"{"method":"org.example.test.Hold"}"# + "\0"

    private func echo(_ text: String, oneway: Bool = true) -> String {
        #"{"method":"org.example.test.Echo","parameters":{"text":"\#(text)"},"oneway":\#(oneway)}"# + "\0"
    }

    private func texts(_ server: TestServer) -> [String] {
        server.service.log.change { $0.calls.map { $0.parameters["text"]?.stringValue ?? "" } }
    }

    @Test("a client that goes away cancels its call and is forgotten")
    func goesAway() throws {
        let server = try TestServer()
        try {
            let client = try server.connect()
            try client.send(hold)
            server.service.log.wait { !$0.held.isEmpty }
        }()
        #expect(server.service.log.wait { $0.cancelled == 1 && $0.closed == 1 })
        // A reply to nobody is dropped.
        server.service.takeHeld().send([:])
        #expect(server.openConnections == 0)
    }

    @Test("a client that has shut down its side is answered, however late, and closed then")
    func halfClosed() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(hold + hold)
        client.shutdownSending()
        server.service.takeHeld().send(["n": 1])
        #expect(try client.receive() == #"{"parameters":{"n":1}}"#)
        server.service.takeHeld().send(["n": 2])
        #expect(try client.receiveAll() == #"{"parameters":{"n":2}}"# + "\0")
        #expect(server.service.log.wait { $0.closed == 1 && $0.cancelled == 0 })
    }

    @Test("a client that has shut down its side and then goes away cancels its call")
    func halfClosedThenGone() throws {
        let server = try TestServer()
        try {
            let client = try server.connect()
            try client.send(#"{"method":"org.example.test.Hold","more":true}"# + "\0")
            client.shutdownSending()
            let held = server.service.takeHeld()
            held.send([:], continues: true)
            _ = try client.receive()
            server.service.log.change { $0.held.append(held) }
        }()
        #expect(server.service.log.wait { $0.cancelled == 1 && $0.closed == 1 })
    }

    @Test("the last words of a client that leaves at once are heard")
    func lastWords() throws {
        let server = try TestServer()
        try {
            let client = try server.connect()
            try client.send(#"{"method":"org.example.test.Echo","oneway":true}"# + "\0")
        }()
        #expect(server.service.log.wait { $0.closed == 1 && $0.calls.count == 1 })
    }

    enum Departure: CaseIterable {
        case closes
        case halfCloses
        case shutsDown
        /// Closes with a reply unread.
        case resets
        /// Shuts down its receiving side and stays.
        case hearsNoMore
    }

    @Test(
        "all calls without a reply that have come whole are carried out, in order, however their client leaves",
        arguments: Departure.allCases, [1, 2, 63, 64, 65, 128, 129, 1000])
    func burst(departure: Departure, count: Int) throws {
        let server = try TestServer()
        var client: RawClient? = try server.connect()
        if departure == .resets {
            try client?.send(echo("unread", oneway: false))
            try client?.waitForBytes()
        }
        try server.withBusyLoop {
            if departure == .hearsNoMore {
                shutdown(try #require(client).descriptor, CInt(SHUT_RD))
                try client?.send(echo("unheard", oneway: false))
            }
            try client?.send((0..<count).map { echo("\($0)") }.joined())
            switch departure {
            case .closes, .resets: client = nil
            case .halfCloses: client?.shutdownSending()
            case .shutsDown: shutdown(try #require(client).descriptor, CInt(SHUT_RDWR))
            case .hearsNoMore: break
            }
        }
        #expect(server.service.log.wait { $0.closed == 1 })
        #expect(texts(server).filter { !$0.hasPrefix("un") } == (0..<count).map(String.init))
        #expect(server.openConnections == 0)
        _ = client
    }

    @Test("of a burst whose client has gone, calls that want a reply are carried out in the turn that reads them, and no later")
    func unheardReplies() throws {
        // No time passes, so it is the number of calls that ends a turn.
        let server = try TestServer(clock: TestClock())
        try server.withBusyLoop {
            let client = try server.connect()
            try client.send((0..<100).map { echo("heard \($0)", oneway: false) }.joined() + echo("a") + echo("b"))
        }
        #expect(server.service.log.wait { $0.closed == 1 })
        #expect(texts(server) == (0..<64).map { "heard \($0)" } + ["a", "b"])
    }

    @Test(
        "calls without a reply wait behind the one that was under way when their client went, whether that is answered or dropped",
        arguments: [#""more":true"#, #""oneway":true"#, #""more":false"#], [true, false])
    func burstBehindCall(flag: String, isAnswered: Bool) throws {
        let server = try TestServer()
        try {
            let client = try server.connect()
            try client.send(#"{"method":"org.example.test.Hold",\#(flag)}"# + "\0")
            server.service.log.wait { $0.held.count == 1 }
            try client.send(echo("a") + echo("unheard", oneway: false) + echo("b"))
        }()
        #expect(server.service.log.wait { $0.cancelled == 1 })
        #expect(server.openConnections == 1)
        #expect(server.service.log.change { $0.calls.count } == 1)
        if isAnswered { server.service.takeHeld().send([:]) } else { server.service.log.change { $0.held = [] } }
        #expect(server.service.log.wait { $0.closed == 1 })
        #expect(texts(server).dropFirst() == ["a", "b"])
        #expect(server.openConnections == 0)
    }

    @Test("a call without a reply that begins after its client has gone is cancelled at once, and still holds up the next")
    func lateHold() throws {
        let server = try TestServer()
        let onewayHold = #"{"method":"org.example.test.Hold","oneway":true}"# + "\0"
        try server.withBusyLoop { try server.connect().send(onewayHold + onewayHold + echo("a")) }
        #expect(server.service.log.wait { $0.cancelled == 1 })
        server.service.takeHeld().send([:])
        #expect(server.service.log.wait { $0.cancelled == 2 && $0.held.count == 1 })
        #expect(server.openConnections == 1)
        #expect(server.service.log.change { $0.calls.count } == 2)
        server.service.takeHeld().send([:])
        #expect(server.service.log.wait { $0.closed == 1 && $0.calls.count == 3 })
    }

    @Test("clients that have gone keep a quarter of the places at most")
    func departedPlaces() throws {
        var limits = VarlinkLimits()
        limits.connections = 8
        let server = try TestServer(limits: limits)
        let onewayHold = #"{"method":"org.example.test.Hold","oneway":true}"# + "\0"
        for number in 0..<6 {
            try server.connect().send(onewayHold + echo("\(number)"))
            #expect(server.service.log.wait { $0.calls.count == number + 1 })
        }
        // The first two keep their places with what they left; the others only until the call that is under way has ended.
        let client = try server.connect()
        try client.send(echo("here", oneway: false))
        #expect(try client.receive().contains("here"))
        for _ in 0..<6 { server.service.takeHeld().send([:]) }
        #expect(server.service.log.wait { $0.closed == 6 })
        #expect(Set(texts(server)) == ["", "here", "0", "1"])
    }

    @Test(
        "behind a burst whose client has gone, a last message without its ending counts if it is whole",
        arguments: [(#"{"method":"org.exa"#, 100), (#"{"method":"org.example.test.Echo","oneway":true}"#, 101), ("nonsense", 100), (" \n", 100)])
    func lastMessage(message: String, calls: Int) throws {
        let server = try TestServer()
        try server.withBusyLoop { try server.connect().send((0..<100).map { echo("\($0)") }.joined() + message) }
        #expect(server.service.log.wait { $0.closed == 1 })
        #expect(server.service.log.change { $0.calls.count } == calls)
        #expect(server.openConnections == 0)
    }

    @Test("an invalid call ends a disconnected client's burst as it ends any other")
    func brokenBurst() throws {
        let server = try TestServer()
        try server.withBusyLoop {
            try server.connect().send((0..<100).map { echo("\($0)") }.joined() + #"{"wrong":1}"# + "\0" + echo("a") + "nonsense\0" + echo("b"))
        }
        #expect(server.service.log.wait { $0.closed == 1 })
        #expect(texts(server) == (0..<100).map(String.init) + ["a"])
    }

    @Test("a client that has shut down its side is answered every call of a burst", arguments: [64, 65, 200])
    func halfClosedBurst(count: Int) throws {
        let server = try TestServer()
        let client = try server.connect()
        try server.withBusyLoop {
            try client.send((0..<count).map { echo("\($0)", oneway: false) }.joined())
            client.shutdownSending()
        }
        #expect(try client.receiveAll() == (0..<count).map { #"{"parameters":{"text":"\#($0)"}}"# + "\0" }.joined())
        #expect(server.service.log.wait { $0.closed == 1 })
    }

    @Test("a wish to hear of a cancellation after it is granted at once")
    func lateWish() throws {
        let server = try TestServer()
        try {
            let client = try server.connect()
            try client.send(hold)
            server.service.log.wait { !$0.held.isEmpty }
        }()
        server.service.log.wait { $0.closed == 1 }
        let held = server.service.takeHeld()
        let heard = Watched(false)
        held.onCancel { heard.change { $0 = true } }
        #expect(heard.wait { $0 })
    }

    @Test("a hundred clients that leave in the middle of a message leave nothing behind")
    func manyLeave() throws {
        let server = try TestServer()
        for _ in 0..<100 {
            let client = try server.connect()
            try client.send(#"{"method":"org.exa"#)
        }
        #expect(server.service.log.wait { $0.closed == 100 })
        #expect(server.openConnections == 0)
    }
}
