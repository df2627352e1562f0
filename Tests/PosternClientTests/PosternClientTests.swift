import Glibc
import PosternClient
import StrictJSON
import Synchronization
import Testing

@testable import TestDaemon

@Suite("The client")
struct PosternClientTests {
    @Test("a person is signed in, and the program gets the user and the credential")
    func signIn() async throws {
        let daemon = try TestDaemon { _ in .replies([.authorizationPending, .exchanging, .completed].map(Sample.event)) }
        let client = PosternClient(app: "my-tool", socketPath: daemon.path)
        let result = try await client.signIn(with: "demo", options: SignInOptions(scopes: ["openid"], timeoutSeconds: 60))
        #expect(result.user == Sample.user)
        #expect(result.credential?.accessToken == "secret-token")
        let call = try #require(daemon.calls.first)
        #expect(call.method == "io.postern.SignIn")
        #expect(call.more)
        #expect(
            try Interface.SignIn(object: call.parameters)
                == Interface.SignIn(
                    providerID: "demo", intent: .signIn, app: "my-tool", scopes: ["openid"], presentation: .daemon,
                    timeoutSeconds: 60))
    }

    @Test(
        "the way is as the program says, or else left to the configuration, whether or not the program sees the events",
        arguments: [nil, Provider.Flow.device])
    func flow(flow: Provider.Flow?) async throws {
        let daemon = try TestDaemon { _ in .replies([Sample.event(.completed)]) }
        let client = PosternClient(socketPath: daemon.path)
        for try await _ in client.signInEvents(with: "demo", options: SignInOptions(flow: flow)) {}
        _ = try await client.credential(from: "demo", options: SignInOptions(flow: flow))
        #expect(try daemon.calls.map { try Interface.SignIn(object: $0.parameters).flow } == [flow, flow])
    }

    @Test("the events come in order, and the stream ends after the last")
    func events() async throws {
        let daemon = try TestDaemon { _ in .replies([.authorizationPending, .exchanging, .completed].map(Sample.event)) }
        let client = PosternClient(socketPath: daemon.path)
        var states: [SignInEvent.State] = []
        for try await event in client.signInEvents(with: "demo", options: SignInOptions(presentation: .client)) {
            states.append(event.state)
        }
        #expect(states == [.authorizationPending, .exchanging, .completed])
    }

    @Test("more calls than the daemon has connections for wait for their turn")
    func places() async throws {
        let gate = Gate()
        let underWay = Mutex((now: 0, most: 0))
        let daemon = try TestDaemon { _ in
            underWay.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            if gate.visits() == 3 { gate.open() }
            gate.waitUntilOpen()
            underWay.withLock { $0.now -= 1 }
            return .replies([Sample.token.object])
        }
        var client = PosternClient(socketPath: daemon.path)
        client.places = CallPlaces(count: 3)
        try await withThrowingTaskGroup(of: String.self) { [client] group in
            for _ in 0..<30 { group.addTask { try await client.accessToken(for: "demo") } }
            for try await token in group { #expect(token == "secret-token") }
        }
        #expect(daemon.calls.count == 30 && underWay.withLock { $0.most } == 3)
    }

    @Test("a call that is cancelled before its turn is not made, and keeps nobody else from theirs")
    func cancelledBeforeItsTurn() async throws {
        let daemon = try TestDaemon { call in call.method.hasSuffix("GetStatus") ? .silence(after: []) : .replies([Sample.token.object]) }
        var client = PosternClient(socketPath: daemon.path)
        client.places = CallPlaces(count: 1)
        let first = Task { [client] in try await client.call(Interface.GetStatus()) }
        while daemon.calls.isEmpty { await Task.yield() }
        let second = Task { [client] in try await client.accessToken(for: "second") }
        let third = Task { [client] in try await client.accessToken(for: "third") }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(try await third.value == "secret-token")
        #expect(try await client.accessToken(for: "fourth") == "secret-token")
        #expect(daemon.calls.compactMap { $0.parameters["providerID"]?.stringValue } == ["third", "fourth"])
    }

    @Test("a credential can be obtained without a user")
    func credential() async throws {
        let daemon = try TestDaemon { _ in .replies([Sample.event(.completed)]) }
        let credential = try await PosternClient(socketPath: daemon.path).credential(from: "demo")
        #expect(credential == Sample.credential)
        #expect(try daemon.calls.first.map { try Interface.SignIn(object: $0.parameters).intent } == .credential)
    }

    @Test("a token is asked for with what was said, and nothing else")
    func token() async throws {
        let daemon = try TestDaemon { _ in .replies([Sample.token.object]) }
        let client = PosternClient(socketPath: daemon.path)
        #expect(try await client.accessToken(for: "demo") == "secret-token")
        _ = try await client.accessToken(for: "demo", account: "7", scopes: ["a"], minimumValiditySeconds: 5, forceRefresh: true)
        #expect(
            daemon.calls.map(\.parameters.keys) == [
                ["providerID"], ["providerID", "uid", "scopes", "minimumValiditySeconds", "forceRefresh"],
            ])
    }

    @Test("the token of who has just signed in is that of their account, whichever name the provider was asked for by")
    func tokenOfResult() async throws {
        let daemon = try TestDaemon { _ in .replies([Sample.token.object]) }
        let client = PosternClient(socketPath: daemon.path)
        var user = Sample.user
        user.providerData.insert(ProviderData(providerID: "other", uid: "7"), at: 0)
        var result = AuthResult(user: user, credential: Sample.credential, operation: .signIn)
        #expect(try await client.accessToken(of: result, minimumValiditySeconds: 300) == "secret-token")
        #expect(daemon.calls.map(\.parameters) == [["providerID": "demo", "uid": "demo-1815", "minimumValiditySeconds": 300]])
        // A password gives none.
        result.credential = nil
        let error = await #expect(throws: PosternError.self) { try await client.accessToken(of: result) }
        guard case .refused(.noSuchProvider) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(daemon.calls.count == 1)
    }

    @Test("the current user can be queried and signed out")
    func currentUser() async throws {
        let daemon = try TestDaemon { call in
            .replies([call.method == "io.postern.GetCurrentUser" ? Interface.GetCurrentUser.Reply(user: nil).object : JSONObject()])
        }
        let client = PosternClient(app: "a", socketPath: daemon.path)
        #expect(try await client.currentUser() == nil)
        try await client.signOut()
        #expect(daemon.calls.map(\.method) == ["io.postern.GetCurrentUser", "io.postern.SignOut"])
        #expect(daemon.calls.map(\.parameters) == [["app": "a"], ["app": "a"]])
    }

    @Test("an error of the interface comes as its type")
    func refused() async throws {
        let refusal = InterfaceError.signInRequired(message: "no refresh token", providerID: "demo", reason: "none")
        let daemon = try TestDaemon { _ in .error(refusal.name, refusal.object) }
        await #expect(throws: PosternError.refused(refusal)) { try await PosternClient(socketPath: daemon.path).accessToken(for: "demo") }
    }

    @Test("a method that the daemon does not have is distinguished from a refusal")
    func notImplemented() async throws {
        let daemon = try TestDaemon { _ in .error("org.varlink.service.MethodNotImplemented", ["method": "io.postern.Lock"]) }
        await #expect(
            throws: PosternError.notUnderstood(name: "org.varlink.service.MethodNotImplemented", parameters: ["method": "io.postern.Lock"])
        ) {
            try await PosternClient(socketPath: daemon.path).call(Interface.Lock())
        }
    }

    @Test("an unanswered socket is reported with what to try")
    func unreachable() async throws {
        let client = PosternClient(socketPath: "/nonexistent/io.postern")
        let error = await #expect(throws: PosternError.self) { try await client.currentUser() }
        guard case .daemonUnreachable(let path, _) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(path == "/nonexistent/io.postern")
        #expect(error?.advice?.isEmpty == false)
    }

    @Test("a daemon of another user is told nothing, unless that user is named")
    func foreignDaemon() async throws {
        let daemon = try TestDaemon { _ in .replies([[:]]) }
        var client = PosternClient(socketPath: daemon.path, servers: [geteuid() + 1])
        let error = await #expect(throws: PosternError.self) { try await client.signOut() }
        #expect(error == .foreignDaemon(path: daemon.path, userID: geteuid()))
        #expect(error?.advice?.isEmpty == false && daemon.calls.isEmpty)
        client.servers = [geteuid() + 1, geteuid()]
        try await client.signOut()
        #expect(daemon.calls.count == 1)
    }

    @Test("a lost daemon is reported, and its session can be resumed")
    func connectionLost() async throws {
        let daemon = try TestDaemon { call in call.method.hasSuffix("SignIn") ? .hangUp : .replies([Sample.event(.completed)]) }
        let client = PosternClient(socketPath: daemon.path)
        await #expect(throws: PosternError.connectionLost(reason: "it closed the connection")) { try await client.signIn(with: "demo") }
        var last: SignInEvent?
        for try await event in client.attach(to: "s1") { last = event }
        #expect(last?.state == .completed)
    }

    @Test(
        "an answer that makes no sense is an error",
        arguments: [
            "[]\0", "{\"parameters\": 1}\0", "{\"parameters\": {}}\0", "{\"error\": \"io.postern.SignInRequired\"}\0", "not json\0",
        ])
    func malformed(answer: String) async throws {
        let daemon = try TestDaemon { _ in .raw(Array(answer.utf8)) }
        let error = await #expect(throws: PosternError.self) { try await PosternClient(socketPath: daemon.path).accessToken(for: "demo") }
        guard case .malformedReply = error else { return #expect(Bool(false), "\(String(describing: error))") }
    }

    @Test("a sign-in whose events end without its completion is an error")
    func incomplete() async throws {
        let daemon = try TestDaemon { _ in .replies([Sample.event(.authorizationPending)]) }
        await #expect(throws: PosternError.self) { try await PosternClient(socketPath: daemon.path).signIn(with: "demo") }
    }

    @Test("cancelling the task closes the connection, which gives up its share")
    func cancelled() async throws {
        let reached = Signal()
        let daemon = try TestDaemon { _ in
            reached.give()
            return .silence(after: [Sample.event(.authorizationPending)])
        }
        let client = PosternClient(socketPath: daemon.path)
        let task = Task { try await client.signIn(with: "demo") }
        await reached.wait()
        task.cancel()
        await daemon.clientLeft.wait()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("cancelling a call that waits for its one reply closes its connection, too")
    func cancelledCall() async throws {
        let reached = Signal()
        let daemon = try TestDaemon { _ in
            reached.give()
            return .silence(after: [])
        }
        let client = PosternClient(socketPath: daemon.path)
        let task = Task { try await client.currentUser() }
        await reached.wait()
        task.cancel()
        await daemon.clientLeft.wait()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a program that stops listening to the events no longer waits for the sign-in")
    func stoppedListening() async throws {
        let daemon = try TestDaemon { _ in .silence(after: [Sample.event(.authorizationPending)]) }
        let client = PosternClient(socketPath: daemon.path)
        for try await event in client.signInEvents(with: "demo") {
            #expect(event.state == .authorizationPending)
            break
        }
        await daemon.clientLeft.wait()
    }

    @Test("a task that was cancelled before it asked is over at once")
    func cancelledBefore() async throws {
        let daemon = try TestDaemon { _ in .silence(after: []) }
        let client = PosternClient(socketPath: daemon.path)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.currentUser()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
