import Glibc
import StrictJSON
import Testing
import Varlink
import VarlinkServer

@Suite("Limits")
struct LimitTests {
    private let echo = #"{"method":"org.example.test.Echo","parameters":{"text":"x"}}"# + "\0"

    private let hold = #"{"method":"org.example.test.Hold"}"# + "\0"

    @Test("the limits are those of the contract")
    func contract() {
        let limits = VarlinkLimits()
        #expect(limits.messageBytes == 65536)
        #expect(limits.connections == 256)
        #expect(limits.unansweredCalls == 64)
        #expect(limits.unreadBytes == 1 << 20)
        #expect(limits.totalUnreadBytes == 16 << 20)
    }

    @Test("where all connections have calls under way, one more is told so and closed, and there is room again when a call ends")
    func tooManyConnections() throws {
        let server = try TestServer()
        var clients: [RawClient] = []
        for _ in 0..<256 {
            let client = try server.connect()
            try client.send(hold)
            clients.append(client)
        }
        server.service.log.wait { $0.held.count == 256 }
        let refused = try server.connect()
        // It can still send what it came to say.
        try refused.send(echo)
        let answer = try refused.receiveAll()
        #expect(answer.hasPrefix(#"{"error":"org.varlink.service.PermissionDenied""#))
        #expect(answer.hasSuffix("\n\0"))
        #expect(server.openConnections == 256)

        server.service.takeHeld().send([:])
        // Its connection is idle once it has its reply.
        _ = try clients[0].receive()
        let welcome = try server.connect()
        try welcome.send(echo)
        #expect(try welcome.receive() == #"{"parameters":{"text":"x"}}"#)
        #expect(server.service.log.change { $0.opened } == 257)
        _ = clients
    }

    @Test("the longest-idle of 256 connections is closed for a new one, and never one with a call in progress")
    func longestIdleGivesWay() throws {
        let server = try TestServer()
        // The oldest of all: it waits for many replies, as a sign-in does.
        let waiting = try server.connect()
        try waiting.send(#"{"method":"org.example.test.Hold","more":true}"# + "\0")
        server.service.log.wait { $0.held.count == 1 }
        let held = server.service.takeHeld()
        held.send(["n": 1], continues: true)
        _ = try waiting.receive()
        var idle: [RawClient] = []
        for number in 0..<255 {
            let client = try server.connect()
            // Half a message is no call.
            if number % 2 == 1 { try client.send(#"{"method":"#) }
            idle.append(client)
        }
        server.service.log.wait { $0.opened == 256 }
        // The oldest idle one is used, so that another has been idle longest.
        try idle[0].send(echo)
        _ = try idle[0].receive()

        let more = try (0..<2).map { _ in try server.connect() }
        for client in more {
            try client.send(echo)
            #expect(try client.receive() == #"{"parameters":{"text":"x"}}"#)
        }
        for client in idle[1...2] { #expect(try client.receiveAll().isEmpty) }
        for client in [idle[0], idle[4]] {
            try client.send(echo)
            #expect(try client.receive() == #"{"parameters":{"text":"x"}}"#)
        }
        held.send(["n": 2])
        #expect(try waiting.receive() == #"{"parameters":{"n":2}}"#)
        #expect(server.openConnections == 256)
    }

    @Test("a call that has come but was not looked at is answered before its connection gives way")
    func unreadCallIsAnswered() throws {
        for _ in 0..<20 {
            var limits = VarlinkLimits()
            limits.connections = 1
            let server = try TestServer(limits: limits)
            let first = try server.connect()
            server.service.log.wait { $0.opened == 1 }
            let second = try server.withBusyLoop {
                let second = try server.connect()
                try first.send(echo)
                return second
            }
            #expect(try first.receive() == #"{"parameters":{"text":"x"}}"#)
            _ = second
        }
    }

    @Test("a connection whose client is being told why it ends does not count as busy")
    func endingGivesWay() throws {
        var limits = VarlinkLimits()
        limits.connections = 1
        limits.lingering = .seconds(3600)
        let server = try TestServer(limits: limits)
        let wrong = try server.connect()
        try wrong.send("nonsense\0")
        #expect(try wrong.receive().contains("InvalidParameter"))
        let other = try server.connect()
        try other.send(echo)
        #expect(try other.receive() == #"{"parameters":{"text":"x"}}"#)
    }

    @Test("a client that goes keeps its place until the work that it left behind has ended", arguments: [true, false])
    func workOfTheGoneCounts(isAnswered: Bool) throws {
        var limits = VarlinkLimits()
        limits.connections = 2
        let server = try TestServer(limits: limits)
        for number in 1...2 {
            let client = try server.connect()
            try client.send(hold)
            server.service.log.wait { $0.held.count == number }
        }
        server.service.log.wait { $0.closed == 2 && $0.cancelled == 2 }
        #expect(server.openConnections == 2)
        #expect(try server.connect().receiveAll().hasPrefix(#"{"error":"org.varlink.service.PermissionDenied""#))

        // The work ends: with an answer that nobody hears, or with none.
        if isAnswered { server.service.takeHeld().send([:]) } else { server.service.log.change { $0.held = [] } }
        #expect(server.openConnections == (isAnswered ? 1 : 0))
        let client = try server.connect()
        try client.send(echo)
        #expect(try client.receive() == #"{"parameters":{"text":"x"}}"#)
    }

    @Test("while the server is busy, more connections can wait than it takes")
    func backlog() throws {
        let server = try TestServer()
        server.withBusyLoop {
            let waiting = (0..<400).compactMap { _ in RawClient.queue(at: server.path) }
            #expect(waiting.count == 400)
            for descriptor in waiting { close(descriptor) }
        }
    }

    @Test("a burst of refused connections is closed without a word beyond a number")
    func manyRefused() throws {
        var limits = VarlinkLimits()
        limits.connections = 1
        let server = try TestServer(limits: limits)
        let first = try server.connect()
        try first.send(hold)
        server.service.log.wait { $0.held.count == 1 }
        let refused = try (0..<80).map { _ in try server.connect() }
        for client in refused {
            let answer = try client.receiveAll()
            #expect(answer.isEmpty || answer.hasPrefix(#"{"error":"org.varlink.service.PermissionDenied""#))
        }
        server.service.takeHeld().send([:])
        _ = try first.receive()
    }

    @Test("silent clients and one that drips its message do not hold up others")
    func silentClients() throws {
        let server = try TestServer()
        let silent = try (0..<100).map { _ in try server.connect() }
        let dripping = try server.connect()
        let busy = try server.connect()
        for byte in echo.utf8 {
            try dripping.send([byte])
            try busy.send(echo)
            #expect(try busy.receive() == #"{"parameters":{"text":"x"}}"#)
        }
        #expect(try dripping.receive() == #"{"parameters":{"text":"x"}}"#)
        _ = silent
    }

    @Test("a client that reads none of its many replies is closed, which is told once")
    func doesNotRead() throws {
        let server = try TestServer()
        let call = Array((#"{"method":"org.example.test.Fill","parameters":{"bytes":10000}}"# + "\0").utf8)
        for number in 1...2 {
            let client = try server.connect()
            try client.send((0..<400).flatMap { _ in call })
            try client.waitForHangUp()
            #expect(server.service.log.wait { $0.closed == number })
            // Memory has its bound: 1 MiB here, what the kernel holds, and one burst.
            #expect(server.service.log.change { $0.calls.count } < number * 300)
        }
        let told = server.service.log.change { $0.cutOff }
        #expect(told.count == 1 && told.allSatisfy { $0.bytes > 1 << 20 && $0.inAll >= $0.bytes })
    }

    @Test("a reply that is longer than all that may be unread reaches a client that reads, and so does the next")
    func longReplies() throws {
        let server = try TestServer()
        let client = try server.connect()
        for bytes in [2 << 20, 3 << 20] {
            try client.send(#"{"method":"org.example.test.Fill","parameters":{"bytes":\#(bytes)}}"# + "\0")
            #expect(try client.receive().utf8.count > bytes)
        }
        #expect(server.service.log.change { $0.cutOff.isEmpty && $0.closed == 0 })
    }

    @Test("a client that does not read a stream is closed")
    func doesNotReadStream() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(#"{"method":"org.example.test.Hold","more":true}"# + "\0")
        let held = server.service.takeHeld()
        let text = JSON.string(String(repeating: "x", count: 10_000))
        for _ in 0..<400 { held.send(["text": text], continues: true) }
        try client.waitForHangUp()
        #expect(server.service.log.wait { $0.cancelled == 1 })
    }

    @Test("when the replies that nobody reads are too many together, the client that leaves most unread is closed")
    func unreadTogether() throws {
        var limits = VarlinkLimits()
        limits.totalUnreadBytes = 1 << 20
        let server = try TestServer(limits: limits)
        let text = JSON.string(String(repeating: "x", count: 10_000))
        // None is beyond its own limit. The kernel takes up to 200 kB of each.
        let streams = try [40, 80, 60].map { count in
            let client = try server.connect()
            try client.send(#"{"method":"org.example.test.Hold","more":true}"# + "\0")
            server.service.log.wait { $0.held.count == 1 }
            let held = server.service.takeHeld()
            for _ in 0..<count { held.send(["text": text], continues: true) }
            return (client: client, held: held, count: count)
        }
        try streams[1].client.waitForHangUp()
        #expect(server.service.log.wait { $0.closed == 1 && $0.cancelled == 1 })
        let told = server.service.log.change { $0.cutOff }
        #expect(told.count == 1 && told.allSatisfy { $0.bytes <= limits.unreadBytes && $0.inAll > limits.totalUnreadBytes })

        // The others have room again, and miss nothing. What has been read does not count any more.
        for _ in 0..<5 {
            for (client, held, count) in [streams[0], streams[2]] {
                for _ in 0..<count { #expect(try client.receive().utf8.count > 10_000) }
                for _ in 0..<count { held.send(["text": text], continues: true) }
            }
        }
        #expect(server.service.log.change { $0.closed } == 1)
    }

    @Test("a client that reads gets many times the limit")
    func readsMuch() throws {
        let server = try TestServer()
        let client = try server.connect()
        let call = Array((#"{"method":"org.example.test.Fill","parameters":{"bytes":10000}}"# + "\0").utf8)
        for _ in 0..<20 {
            try client.send((0..<50).flatMap { _ in call })
            for _ in 0..<50 { #expect(try client.receive().utf8.count > 10_000) }
        }
    }
}
