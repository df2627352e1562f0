import StrictJSON
import Testing
import Varlink
import VarlinkServer

@Suite("Pipelined calls")
struct PipeliningTests {
    private func echo(_ text: String) -> String {
        #"{"method":"org.example.test.Echo","parameters":{"text":"\#(text)"}}"# + "\0"
    }

    private let hold = #"{"method":"org.example.test.Hold"}"# + "\0"

    @Test("a thousand calls in one piece are answered in order")
    func order() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send((0..<1000).map { echo("\($0)") }.joined())
        for index in 0..<1000 { #expect(try client.receive() == #"{"parameters":{"text":"\#(index)"}}"#) }
    }

    @Test("a call waits for the reply to the one before it")
    func serial() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(hold + echo("after"))
        let held = server.service.takeHeld()
        // What another connection does is not held up, and shows that the second call has had its chance.
        let other = try server.connect()
        try other.send(echo("other"))
        _ = try other.receive()
        #expect(server.service.log.change { $0.calls.map(\.method) } == ["org.example.test.Hold", "org.example.test.Echo"])
        held.send([:])
        #expect(try client.receive() == #"{"parameters":{}}"#)
        #expect(try client.receive() == #"{"parameters":{"text":"after"}}"#)
    }

    @Test("replies to a call with `more` come before those to the next call")
    func streams() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(#"{"method":"org.example.test.Stream","parameters":{"count":3},"more":true}"# + "\0" + echo("x"))
        #expect(try client.receive() == #"{"parameters":{"index":0},"continues":true}"#)
        #expect(try client.receive() == #"{"parameters":{"index":1},"continues":true}"#)
        #expect(try client.receive() == #"{"parameters":{"index":2}}"#)
        #expect(try client.receive() == #"{"parameters":{"text":"x"}}"#)
    }

    @Test("behind a call without a reply no more is read than the limits allow, and all of it is answered later")
    func backPressure() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(hold)
        let held = server.service.takeHeld()
        // The kernel's buffers and ours are all that a client can fill; a server that read on would never stop.
        let call = Array(echo(String(repeating: "x", count: 1000)).utf8)
        var sent = 0
        var idle = 0
        while idle < 50 {
            let count = client.sendWithoutWaiting(Array(call[(sent % call.count)...]))
            sent += count
            if count > 0 {
                idle = 0
                #expect(sent < 4 << 20)
                if sent >= 4 << 20 { break }
            } else {
                // Another connection's round trip gives the server's loop time for this one.
                let other = try server.connect()
                try other.send(echo("turn"))
                _ = try other.receive()
                idle += 1
            }
        }
        held.send([:])
        #expect(try client.receive() == #"{"parameters":{}}"#)
        for _ in 0..<(sent / call.count) { #expect(try client.receive().utf8.count > 1000) }
        #expect(server.service.log.change { $0.calls.count { $0.method == "org.example.test.Hold" } } == 1)
    }

    @Test("a call with a large message behind 63 others still comes through")
    func manyWaiting() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(hold + (0..<200).map { echo("\($0)") }.joined())
        server.service.takeHeld().send([:])
        _ = try client.receive()
        for index in 0..<200 { #expect(try client.receive() == #"{"parameters":{"text":"\#(index)"}}"#) }
    }

    @Test("a oneway call that takes its time is done before the next begins, and has no reply")
    func onewayIsSerial() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(#"{"method":"org.example.test.Hold","oneway":true}"# + "\0" + echo("after"))
        let held = server.service.takeHeld()
        held.fail(.permissionDenied)
        #expect(try client.receive() == #"{"parameters":{"text":"after"}}"#)
    }

    @Test("only the first final reply counts")
    func secondReply() throws {
        let server = try TestServer()
        let client = try server.connect()
        try client.send(hold + echo("next"))
        let held = server.service.takeHeld()
        held.send(["first": true])
        held.send(["second": true])
        held.fail(.permissionDenied)
        #expect(try client.receive() == #"{"parameters":{"first":true}}"#)
        #expect(try client.receive() == #"{"parameters":{"text":"next"}}"#)
    }
}
