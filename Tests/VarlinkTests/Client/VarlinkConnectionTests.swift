import Glibc
import StrictJSON
import Testing
import Varlink

@Suite("The blocking client")
struct VarlinkConnectionTests {
    private let echo = VarlinkCall(method: "org.example.test.Echo", parameters: ["text": "x"])
    private let hold = VarlinkCall(method: "org.example.test.Hold")
    private let stream = VarlinkCall(method: "org.example.test.Stream", parameters: ["count": 3])

    @Test("a call gives the reply's parameters")
    func call() throws {
        let server = try TestServer()
        let connection = try VarlinkConnection(path: server.path)
        for _ in 0..<3 { #expect(try connection.call(echo) == ["text": "x"]) }
        let large = try connection.call(VarlinkCall(method: "org.example.test.Fill", parameters: ["bytes": 500_000]))
        #expect(large["text"]?.stringValue?.utf8.count == 500_000)
        withExtendedLifetime(server) {}
    }

    @Test("a service of an unexpected user is sent nothing")
    func foreignServer() throws {
        let server = try TestServer()
        #expect(throws: VarlinkClientError.foreignServer(path: server.path, uid: geteuid())) {
            try VarlinkConnection(path: server.path, servers: [geteuid() + 1]).call(echo)
        }
        let connection = try VarlinkConnection(path: server.path, servers: [geteuid() + 1, geteuid()])
        #expect(try connection.call(echo) == ["text": "x"])
        #expect(server.service.log.change { $0.calls.count } == 1)
    }

    @Test("an error of the service is thrown, and the connection can be used on")
    func remoteError() throws {
        let server = try TestServer()
        let connection = try VarlinkConnection(path: server.path)
        #expect(throws: VarlinkClientError.remote(.methodNotFound("org.example.test.Nothing"))) {
            try connection.call(VarlinkCall(method: "org.example.test.Nothing"))
        }
        #expect(try connection.call(echo) == ["text": "x"])
        withExtendedLifetime(server) {}
    }

    @Test("the replies to a call with `more` are read one by one")
    func more() throws {
        let server = try TestServer()
        let connection = try VarlinkConnection(path: server.path)
        var replies = try connection.callMore(stream)
        #expect(try replies.next() == ["index": 0])
        #expect(throws: VarlinkClientError.busy) { try connection.call(echo) }
        #expect(try replies.next() == ["index": 1])
        #expect(try replies.next() == ["index": 2])
        #expect(try replies.next() == nil)
        #expect(try replies.next() == nil)
        #expect(try connection.call(echo) == ["text": "x"])
        withExtendedLifetime(server) {}
    }

    @Test("an error may be the last of many replies")
    func moreWithError() throws {
        let server = try TestServer()
        let connection = try VarlinkConnection(path: server.path)
        var replies = try connection.callMore(hold)
        let held = server.service.takeHeld()
        held.send(["n": 1], continues: true)
        held.fail(.permissionDenied)
        #expect(try replies.next() == ["n": 1])
        #expect(throws: VarlinkClientError.remote(.permissionDenied)) { try replies.next() }
        #expect(try replies.next() == nil)
    }

    @Test("a oneway call returns at once")
    func oneway() throws {
        let server = try TestServer()
        let connection = try VarlinkConnection(path: server.path)
        try connection.call(VarlinkCall(method: "org.example.test.Hold", oneway: true))
        server.service.takeHeld().send([:])
        #expect(try connection.call(echo) == ["text": "x"])
    }

    @Test("a call without a reply ends at its deadline, and the connection with it")
    func timeout() throws {
        let server = try TestServer()
        let connection = try VarlinkConnection(path: server.path)
        #expect(throws: VarlinkClientError.timedOut) { try connection.call(hold, timeout: .milliseconds(1)) }
        #expect(throws: VarlinkClientError.timedOut) { try connection.call(echo) }
        withExtendedLifetime(server) {}
    }

    private let hasty = VarlinkPulse(interval: .milliseconds(1), patience: .milliseconds(50))

    @Test("a service that answers nothing at all is given up")
    func unresponsive() throws {
        let server = try TestServer()
        let connection = try VarlinkConnection(path: server.path)
        var replies = try VarlinkConnection(path: server.path).callMore(hold)
        server.withBusyLoop {
            #expect(throws: VarlinkClientError.unresponsive) { try connection.call(echo, pulse: hasty) }
            #expect(throws: VarlinkClientError.unresponsive) { try replies.next(pulse: hasty) }
        }
        #expect(throws: VarlinkClientError.unresponsive) { try connection.call(echo) }
    }

    @Test("one that takes its time for a call, and answers others, is waited for")
    func slow() throws {
        let server = try TestServer()
        let connection = try VarlinkConnection(path: server.path)
        let patient = VarlinkPulse(interval: .milliseconds(1), patience: .seconds(60))
        Thread.run { [service = server.service] in
            let held = service.takeHeld()
            // It was asked whether it lives, more than once.
            service.log.wait { $0.closed >= 3 }
            held.send(["done": true])
        }
        #expect(try connection.call(hold, pulse: patient) == ["done": true])
    }

    @Test("one that hands out its bytes one by one is given up")
    func dripping() throws {
        let server = try DrippingServer()
        let connection = try VarlinkConnection(path: server.path)
        #expect(throws: VarlinkClientError.unresponsive) { try connection.call(echo, pulse: hasty) }
        server.stop()
    }

    @Test("one that takes no new connections is waited for until it answers, or is gone")
    func ending() throws {
        let server = try TestServer()
        let connection = try VarlinkConnection(path: server.path)
        unlink(server.path)
        Thread.run { [service = server.service] in service.takeHeld().send(["done": true]) }
        #expect(try connection.call(hold, pulse: hasty) == ["done": true])
        #expect(throws: VarlinkClientError.connectionClosed) {
            try connection.call(VarlinkCall(method: "org.example.test.Forget"), pulse: hasty)
        }
    }

    @Test("a waiting call can be cancelled from another thread")
    func cancelled() throws {
        let server = try TestServer()
        let connection = try VarlinkConnection(path: server.path)
        Thread.run { [service = server.service] in
            service.log.wait { !$0.held.isEmpty }
            connection.cancel()
        }
        #expect(throws: VarlinkClientError.cancelled) { try connection.call(hold) }
        #expect(throws: VarlinkClientError.cancelled) { try connection.call(echo) }
        #expect(server.service.log.wait { $0.cancelled == 1 })
    }

    @Test("a connection that the service closes is told from one that it answers")
    func closedByService() throws {
        let server = try TestServer()
        let connection = try VarlinkConnection(path: server.path)
        #expect(throws: VarlinkClientError.connectionClosed) { try connection.call(VarlinkCall(method: "org.example.test.Forget")) }
        withExtendedLifetime(server) {}
    }

    @Test("nobody at the path, nothing at the path, and a path that does not fit")
    func cannotConnect() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/s"
        #expect(throws: VarlinkClientError.cannotConnect(path: path, errno: ENOENT)) { try VarlinkConnection(path: path) }
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        #expect(throws: VarlinkClientError.cannotConnect(path: path, errno: ECONNREFUSED)) { try VarlinkConnection(path: path) }
        let long = "/" + String(repeating: "x", count: 107)
        #expect(throws: VarlinkClientError.pathTooLong(path: long, limit: 107)) { try VarlinkConnection(path: long) }
        #expect("\(VarlinkClientError.cannotConnect(path: path, errno: ENOENT))" == "cannot connect to \(path): No such file or directory")
    }

    @Test(
        "a service that breaks the protocol is found out",
        arguments: [
            ("[]\0", "a reply is an array"),
            ("hello\0", "a reply is not valid JSON: an unexpected character, at byte 0"),
            ("\0", "a reply is not valid JSON: there is no value, at byte 0"),
            (#"{"parameters":[]}"# + "\0", "in a reply parameters must be an object, but is an array"),
            (#"{"error":7}"# + "\0", "in a reply error must be a string, but is a number"),
            (#"{"parameters":{},"continues":true}"# + "\0", "a reply to a call without `more` announces further replies"),
        ])
    func brokenService(answer: String, sentence: String) throws {
        let service = try FakeService(answer: answer)
        let connection = try VarlinkConnection(path: service.path)
        #expect(throws: VarlinkClientError.protocolViolation(sentence)) { try connection.call(echo) }
        #expect(throws: VarlinkClientError.protocolViolation(sentence)) { try connection.call(echo) }
    }

    @Test("a truncated reply is rejected", arguments: ["", #"{"parameters":{}}"#, #"{"param"#])
    func cutReply(answer: String) throws {
        let service = try FakeService(answer: answer)
        let connection = try VarlinkConnection(path: service.path)
        #expect(throws: VarlinkClientError.connectionClosed) { try connection.call(echo) }
    }

    @Test("what a service says before it closes on a call that it did not read is heard")
    func earlyAnswer() throws {
        let service = try FakeService(answer: #"{"error":"org.example.test.Busy"}"# + "\n\0", readsCall: false)
        let connection = try VarlinkConnection(path: service.path)
        service.finished.wait { $0 }
        #expect(throws: VarlinkClientError.remote(VarlinkError(name: "org.example.test.Busy"))) { try connection.call(echo) }
    }
}

/// Takes one connection, reads one message, answers with the text given, and closes.
final class FakeService {
    let path: String
    let finished = Watched(false)
    private let directory = TemporaryDirectory()

    init(answer: String, readsCall: Bool = true) throws {
        path = "\(directory.path)/s"
        let listening = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listening, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        guard result == 0, listen(listening, 1) == 0 else { throw RawClient.Failure.failed(errno) }
        Thread.run { [finished] in
            let connection = accept(listening, nil, nil)
            var byte: UInt8 = 1
            while readsCall, byte != 0, read(connection, &byte, 1) == 1 {}
            let bytes = Array(answer.utf8)
            _ = send(connection, bytes, bytes.count, CInt(MSG_NOSIGNAL))
            close(connection)
            close(listening)
            finished.change { $0 = true }
        }
    }
}
