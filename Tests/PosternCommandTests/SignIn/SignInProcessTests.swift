import Glibc
import PosternClient
import StrictJSON
import Testing

@testable import TestDaemon
@testable import postern

/// The built command against a service on a real socket.
@Suite("Signing in from the command line")
struct SignInProcessTests {
    private static let provider = Provider(
        providerID: "demo", displayName: "The Demo", kind: .oidc, flows: [.browser], scopes: [], configured: true)

    /// Answers everything but `SignIn`.
    private static func other(_ call: String) -> TestDaemon.Answer {
        switch call {
        case "io.postern.ListProviders": .replies([Interface.ListProviders.Reply(providers: [provider]).object])
        case "io.postern.Monitor": .silence(after: [])
        case "io.postern.ListSessions": .replies([Interface.ListSessions.Reply(sessions: []).object])
        default: .error("org.varlink.service.MethodNotImplemented", ["method": .string(call)])
        }
    }

    private func start(_ line: String, at daemon: TestDaemon, words: Int32, environment: [String: String] = [:]) throws -> ChildProcess {
        let own = try #require(Executable.ownPath)
        let program = try #require(own.lastIndex(of: "/").map { own[...$0] + "postern" })
        var environment = environment
        environment["POSTERN_SOCKET"] = daemon.path
        return try ChildProcess(
            path: String(program), arguments: line.split(separator: " ").map(String.init), environment: environment, log: words)
    }

    private func exitStatus(_ child: ChildProcess) -> Int32? { child.status.map { ($0 >> 8) & 0xFF } }

    @Test("the signed-in user is on standard output, and every change is a line on standard error")
    func signIn() throws {
        let daemon = try TestDaemon { call in
            call.method == "io.postern.SignIn"
                ? .replies([.authorizationPending, .exchanging, .completed].map(Sample.event)) : Self.other(call.method)
        }
        let words = try PipeEnds(blocking: true)
        let child = try start("sign-in demo --app tool --scope a", at: daemon, words: words.writeEnd, environment: ["DISPLAY": ":0"])
        close(words.writeEnd)
        #expect(child.collectOutput(timeout: 30_000) == "signed in as Ada Lovelace <ada@example.com> with The Demo\n")
        #expect(exitStatus(child) == 0)
        let told = readAll(words.readEnd)
        #expect(told.contains("waiting for you at The Demo, in the browser"))
        #expect(told.contains("the browser came back; finishing with The Demo"))
        // Nothing that moves, and no colour, off a terminal.
        #expect(!told.contains("\u{1B}") && !told.contains("\r"))
        let call = try #require(daemon.calls.first { $0.method == "io.postern.SignIn" })
        #expect(try Interface.SignIn(object: call.parameters).presentation == .daemon)
    }

    @Test("with --json the last reply is one document on standard output")
    func json() throws {
        let daemon = try TestDaemon { call in
            call.method == "io.postern.SignIn" ? .replies([Sample.event(.completed)]) : Self.other(call.method)
        }
        let child = try start("sign-in demo --json", at: daemon, words: STDERR_FILENO, environment: ["DISPLAY": ":0"])
        let output = try #require(child.collectOutput(timeout: 30_000))
        #expect(try JSON(parsing: output) == .object(Sample.event(.completed)))
    }

    @Test("far from the browser the address and the ssh line are told, and the page is left to the user")
    func remote() throws {
        let url = "https://provider.example/authorize?redirect_uri=http%3A%2F%2F127.0.0.1%3A7678%2F__%2Fauth%2Fhandler"
        let pending = Interface.SignIn.Reply(
            event: SignInEvent(sessionID: "s1", state: .authorizationPending, expiresAt: "2026-11-21T06:34:00Z", authorizationURL: url))
        let daemon = try TestDaemon { call in
            call.method == "io.postern.SignIn" ? .replies([pending.object, Sample.event(.completed)]) : Self.other(call.method)
        }
        let words = try PipeEnds(blocking: true)
        let child = try start(
            "sign-in demo", at: daemon, words: words.writeEnd,
            environment: ["DISPLAY": ":10", "USER": "ada", "SSH_CONNECTION": "192.0.2.1 50000 host.example 22"])
        close(words.writeEnd)
        _ = child.collectOutput(timeout: 30_000)
        #expect(exitStatus(child) == 0)
        let told = readAll(words.readEnd)
        #expect(told.contains(url))
        #expect(told.contains("ssh -L 7678:127.0.0.1:7678 ada@host.example"))
        let call = try #require(daemon.calls.first { $0.method == "io.postern.SignIn" })
        #expect(try Interface.SignIn(object: call.parameters).presentation == .client)
        #expect(call.more)
    }

    @Test(
        "a refusal by the daemon exits with its status",
        arguments: [
            (InterfaceError.signInDenied(message: "they said no", providerID: "demo", error: "access_denied"), 2),
            (.signInDenied(message: "it answered with an error: invalid_request", providerID: "demo", error: "invalid_request"), 1),
            (.signInTimedOut(message: "nobody came", sessionID: "s1"), 2),
            (.unsupportedFlow(message: "no device flow", providerID: "demo", flow: "device"), 1),
        ] as [(InterfaceError, Int32)])
    func refused(error: InterfaceError, status: Int32) throws {
        let daemon = try TestDaemon { call in
            call.method == "io.postern.SignIn" ? .error(error.name, error.object) : Self.other(call.method)
        }
        let words = try PipeEnds(blocking: true)
        let child = try start("sign-in demo --device", at: daemon, words: words.writeEnd)
        close(words.writeEnd)
        #expect(child.collectOutput(timeout: 30_000) == "")
        #expect(exitStatus(child) == status)
        #expect(readAll(words.readEnd).contains("postern: \(error.message)"))
    }

    @Test(
        "an interrupt gives up this share and ends with 2; only a sign-in that nobody joined, even at this moment, is cancelled",
        arguments: [true, false])
    func interrupted(isJoined: Bool) async throws {
        func event(_ kind: String) -> JSONObject {
            Interface.Monitor.Reply(time: "2026-11-21T06:24:00Z", kind: kind, sessionID: "s1", message: "x").object
        }
        let question = Gate()
        let isTold = Gate()
        let (started, joined) = (event("signInStarted"), event("signInJoined"))
        let daemon = try TestDaemon { call in
            switch call.method {
            case "io.postern.SignIn": return .silence(after: [Sample.event(.authorizationPending)])
            case "io.postern.Monitor":
                return .stream { send in
                    send(started)
                    question.waitUntilOpen()
                    if isJoined { send(joined) }
                    isTold.open()
                }
            case "io.postern.ListSessions":
                // The second time it is the question whether anybody else is there.
                if question.visits() > 1 {
                    question.open()
                    isTold.waitUntilOpen()
                }
                return Self.other(call.method)
            case "io.postern.CancelSession": return .replies([[:]])
            default: return Self.other(call.method)
            }
        }
        let words = try PipeEnds(blocking: true)
        let child = try start("sign-in demo", at: daemon, words: words.writeEnd)
        close(words.writeEnd)
        var told = ""
        while !told.contains("https://provider.example/authorize"), let more = readSome(words.readEnd) { told += more }
        kill(child.pid, SIGINT)
        await daemon.clientLeft.wait()
        #expect(child.collectOutput(timeout: 30_000) == "")
        #expect(exitStatus(child) == 2)
        #expect(daemon.calls.contains { $0.method == "io.postern.CancelSession" } == !isJoined)
        close(words.readEnd)
    }

    @Test("a token alone is on standard output")
    func token() throws {
        let daemon = try TestDaemon { _ in .replies([Sample.token.object]) }
        let child = try start("token demo --scope=a", at: daemon, words: STDERR_FILENO)
        #expect(child.collectOutput(timeout: 30_000) == "secret-token\n")
        #expect(exitStatus(child) == 0)
    }

    @Test("nothing usable ends with 3")
    func signInNeeded() throws {
        let refusal = InterfaceError.signInRequired(message: "never signed in", providerID: "demo", reason: "none")
        let daemon = try TestDaemon { _ in .error(refusal.name, refusal.object) }
        let words = try PipeEnds(blocking: true)
        let child = try start("token demo", at: daemon, words: words.writeEnd)
        close(words.writeEnd)
        #expect(child.collectOutput(timeout: 30_000) == "")
        #expect(exitStatus(child) == 3)
        #expect(readAll(words.readEnd) == "postern: never signed in\n")
    }

    /// Closes the descriptor.
    private func readAll(_ descriptor: Int32) -> String {
        defer { close(descriptor) }
        var text = ""
        while let more = readSome(descriptor) { text += more }
        return text
    }

    private func readSome(_ descriptor: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
