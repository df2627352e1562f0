import StrictJSON
import Testing
import Varlink

@Suite("Clients that leave")
struct DepartingClientTests {
    private let hold = #"{"method":"org.example.test.Hold"}"# + "\0"

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
