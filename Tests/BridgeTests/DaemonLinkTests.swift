import Glibc
import NIOCore
import NIOPosix
import PosternClient
import PosternInterface
import StrictJSON
import Synchronization
import Testing
import Varlink

@testable import Bridge

@Suite("Calls of the bridge to the daemon", .timeLimit(.minutes(1)))
struct DaemonLinkTests {
    /// Unchecked: used on its loop.
    private final class Caller: @unchecked Sendable {
        private let loop: any EventLoop
        private let link: DaemonLink

        init(_ path: String, servers: [UInt32] = [geteuid()], limits: DaemonLink.Limits = .init(pulse: .rare)) {
            loop = MultiThreadedEventLoopGroup.singleton.next()
            link = DaemonLink(socketPath: path, servers: servers, eventLoop: loop, limits: limits)
        }

        func find(_ url: String = "https://x.example", isRepeatable: Bool = true) async throws -> Result<[String], PosternError> {
            try await find([url], isRepeatable: isRepeatable)[0]
        }

        /// All in one turn of the loop.
        func find(_ urls: [String], isRepeatable: Bool = true) async throws -> [Result<[String], PosternError>] {
            let promises = urls.map { ($0, loop.makePromise(of: Result<[String], PosternError>.self)) }
            loop.execute { [self] in
                for (url, promise) in promises {
                    link.call(Interface.GetRoute(url: url), isRepeatable: isRepeatable) { promise.succeed($0.map(\.urls)) }
                }
            }
            return try await EventLoopFuture.whenAllSucceed(promises.map(\.1.futureResult), on: loop).get()
        }

        /// Each is begun within the reply to the one before.
        func findInTurn(_ urls: [String]) async throws -> [Result<[String], PosternError>] {
            let promise = loop.makePromise(of: [Result<[String], PosternError>].self)
            loop.execute { self.findInTurn(urls[...], found: [], promise) }
            return try await promise.futureResult.get()
        }

        private func findInTurn(
            _ urls: ArraySlice<String>, found: [Result<[String], PosternError>], _ promise: EventLoopPromise<[Result<[String], PosternError>]>
        ) {
            guard let url = urls.first else { return promise.succeed(found) }
            link.call(Interface.GetRoute(url: url)) { self.findInTurn(urls.dropFirst(), found: found + [$0.map(\.urls)], promise) }
        }
    }

    private static func route(_ call: ScriptedDaemon.Call) -> ScriptedDaemon.Answer {
        .reply(["providerID": "work", "urls": [call.parameters["url"] ?? .null], "isMCP": false])
    }

    @Test("share one connection if one follows another")
    func kept() async throws {
        let daemon = try ScriptedDaemon { call, _ in Self.route(call) }
        let caller = Caller(daemon.path)
        for number in 0..<20 { #expect(try await caller.find("https://\(number).example") == .success(["https://\(number).example"])) }
        #expect(daemon.connections == 1)
    }

    @Test("go over one connection where one is begun within the reply to another")
    func keptWithinReply() async throws {
        let daemon = try ScriptedDaemon { call, _ in Self.route(call) }
        let urls = (0..<20).map { "https://\($0).example" }
        #expect(try await Caller(daemon.path).findInTurn(urls) == urls.map { .success([$0]) })
        #expect(daemon.connections == 1)
    }

    @Test("do not wait for a slow one, have eight connections at most, and all get their own answers")
    func atOnce() async throws {
        let release = Gate()
        let daemon = try ScriptedDaemon { call, _ in
            if call.parameters["url"] == "https://slow.example" { release.wait() }
            return Self.route(call)
        }
        let caller = Caller(daemon.path)
        async let slow = caller.find("https://slow.example")
        let urls = (0..<100).map { "https://\($0).example" }
        try await withThrowingTaskGroup { group in
            for url in urls {
                group.addTask {
                    let found = try await caller.find(url)
                    #expect(found == .success([url]))
                }
            }
            try await group.waitForAll()
        }
        release.open()
        #expect(try await slow == .success(["https://slow.example"]))
        #expect(daemon.mostAtOnce <= 8)
    }

    @Test("are refused with a message if too many are waiting")
    func tooMany() async throws {
        let release = Gate()
        let daemon = try ScriptedDaemon { call, _ in
            release.wait()
            return Self.route(call)
        }
        let caller = Caller(daemon.path, limits: .init(connections: 1, waiting: 2))
        let results = try await withThrowingTaskGroup { group in
            for number in 0..<5 { group.addTask { try await caller.find("https://\(number).example") } }
            var results: [Result<[String], PosternError>] = []
            for try await result in group {
                results.append(result)
                // Those that are refused come first.
                if results.count == 2 { release.open() }
            }
            return results
        }
        #expect(results.count { $0 == .failure(.connectionLost(reason: "too many calls wait for it")) } == 2)
    }

    @Test("reach a daemon that was restarted, also where it ended in the middle of one that may be made again")
    func restarted() async throws {
        let ends = Mutex(false)
        let flag = Flag(ends)
        let daemon = try ScriptedDaemon { call, daemon in flag.value.withLock { $0 } && call.connection == 1 ? .none : Self.route(call) }
        let caller = Caller(daemon.path)
        #expect(try await caller.find() == .success(["https://x.example"]))
        flag.value.withLock { $0 = true }
        #expect(try await caller.find() == .success(["https://x.example"]))
        #expect(daemon.connections == 2)
        daemon.stop()
        let result = try await caller.find()
        guard case .failure(let error) = result else { return #expect(Bool(false), "\(result)") }
        #expect("\(error)".contains("the daemon cannot be reached at \(daemon.path)"), "\(error)")
        try daemon.listen()
        #expect(try await caller.find() == .success(["https://x.example"]))
    }

    @Test("that wait for a connection do not wait for one that the daemon closes behind its answer", .timeLimit(.minutes(1)))
    func closedBehind() async throws {
        let daemon = try ScriptedDaemon { call, _ in
            if case .reply(let object) = Self.route(call) { .lastReply(object) } else { .none }
        }
        let caller = Caller(daemon.path, limits: .init(connections: 1))
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                group.addTask {
                    let url = "https://\(number).example"
                    let found = try await caller.find(url, isRepeatable: false)
                    // It may be closed just after the call was sent.
                    #expect(found == .success([url]) || found == .failure(.connectionLost(reason: "it closed the connection")))
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("fail with a sentence where the connection ends before the answer, and nothing says that they may be made again")
    func lost() async throws {
        let daemon = try ScriptedDaemon { _, _ in .none }
        let result = try await Caller(daemon.path).find(isRepeatable: false)
        #expect(result == .failure(.connectionLost(reason: "it closed the connection")))
        #expect(daemon.calls.count == 1)
    }

    @Test("send nothing to another user's process")
    func foreign() async throws {
        let daemon = try ScriptedDaemon { call, _ in Self.route(call) }
        let result = try await Caller(daemon.path, servers: [geteuid() + 1]).find()
        #expect(result == .failure(.foreignDaemon(path: daemon.path, userID: geteuid())))
        #expect(daemon.received == 0)
    }

    @Test("return the daemon's error unchanged, and fail on an oversized or malformed answer")
    func errors() async throws {
        let refusing = try ScriptedDaemon { _, _ in .error(.originNotServed(message: "not served", origin: "https://x.example")) }
        #expect(try await Caller(refusing.path).find() == .failure(.refused(.originNotServed(message: "not served", origin: "https://x.example"))))
        for length in [70_000, 200_000] {
            let long = try ScriptedDaemon { _, _ in
                .reply(["providerID": .string(String(repeating: "x", count: length)), "urls": [], "isMCP": false])
            }
            let result = try await Caller(long.path, limits: .init(replyBytes: 100_000)).find()
            #expect(result == (length < 100_000 ? .success([]) : .failure(.malformedReply(reason: "it is longer than 100000 bytes"))))
        }
    }

    @Test("end when the daemon gives no answer in time")
    func silent() async throws {
        let release = Gate()
        let daemon = try ScriptedDaemon { call, _ in
            release.wait()
            return Self.route(call)
        }
        defer { release.open() }
        let result = try await Caller(daemon.path, limits: .init(reply: .milliseconds(50))).find()
        #expect(result == .failure(.daemonUnresponsive(path: daemon.path)))
    }

    @Test("end soon at a daemon that answers nothing else either, those that wait for a connection too")
    func stopped() async throws {
        let release = Gate()
        let daemon = try ScriptedDaemon { call, _ in
            release.wait()
            return Self.route(call)
        }
        defer { release.open() }
        let hasty = VarlinkPulse(interval: .milliseconds(50), patience: .milliseconds(50))
        let caller = Caller(daemon.path, limits: .init(connections: 1, pulse: hasty))
        let results = try await caller.find(["https://1.example", "https://2.example", "https://3.example"])
        #expect(results == Array(repeating: .failure(.daemonUnresponsive(path: daemon.path)), count: 3))
        #expect(daemon.calls(of: "GetRoute").count <= 1)
    }

    @Test("take their time at a daemon that answers others meanwhile")
    func busy() async throws {
        let release = Gate()
        let daemon = try ScriptedDaemon { call, daemon in
            guard call.method == "org.varlink.service.GetInfo" else {
                release.wait()
                return Self.route(call)
            }
            if daemon.calls.count(where: { $0.method == call.method }) == 3 { release.open() }
            return .reply([:])
        }
        let caller = Caller(daemon.path, limits: .init(pulse: VarlinkPulse(interval: .milliseconds(1), patience: .seconds(60))))
        #expect(try await caller.find() == .success(["https://x.example"]))
    }

    private final class Flag: Sendable {
        let value: Mutex<Bool>
        init(_ value: consuming Mutex<Bool>) { self.value = value }
    }
}

/// Threads wait at it until it is opened.
private final class Gate: @unchecked Sendable {
    private var lock = pthread_mutex_t()
    private var changed = pthread_cond_t()
    private var isOpen = false

    init() {
        pthread_mutex_init(&lock, nil)
        pthread_cond_init(&changed, nil)
    }

    func wait() {
        pthread_mutex_lock(&lock)
        while !isOpen { pthread_cond_wait(&changed, &lock) }
        pthread_mutex_unlock(&lock)
    }

    func open() {
        pthread_mutex_lock(&lock)
        isOpen = true
        pthread_cond_broadcast(&changed)
        pthread_mutex_unlock(&lock)
    }
}

extension VarlinkPulse {
    /// None in a test, however busy the machine is.
    fileprivate static var rare: VarlinkPulse { VarlinkPulse(interval: .seconds(600)) }
}
