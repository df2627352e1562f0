import BridgeCore
import Glibc
import NIOCore
import PosternInterface
import StrictJSON
import Synchronization
import Testing

@testable import Bridge

@Suite("A request that the daemon authorizes", .timeLimit(.minutes(1)))
struct DaemonUpstreamTests {
    private static func answer(_ status: Int, _ headers: String..., body: String = "") -> String {
        let fields = headers.map { "\($0)\r\n" }.joined()
        return "HTTP/1.1 \(status) Status\r\n\(fields)Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    }

    private static let done = answer(200, body: "done")
    private static let refused = answer(401, "WWW-Authenticate: Bearer error=\"invalid_token\"")

    @Test("is sent with the daemon's fields and the program's own, and its answer passes on")
    func plain() async throws {
        let world = try BridgeWorld([Self.done])
        #expect(try await world.outcome() == .answer(200, "done"))
        let request = try #require(world.server.requests.first)
        #expect(request.header("Authorization") == "Bearer at-1" && request.header("X-Of") == "program" && request.body == "{}")
        #expect(world.daemon.calls(of: "AuthorizeRequest").first?["providerID"] == "work")
    }

    @Test("is sent again with another token after a 401, with or without a challenge, if its body is at hand")
    func renewed() async throws {
        for (refusal, challenge) in [(Self.refused, ["Bearer error=\"invalid_token\""]), (Self.answer(401), [])] {
            let world = try BridgeWorld([refusal, Self.done])
            #expect(try await world.outcome() == .answer(200, "done"))
            #expect(world.tokens == ["Bearer at-1", "Bearer at-2"])
            #expect(world.challenges == [nil, challenge.map { .string($0) }])
        }
    }

    @Test("is refused for good where the renewed token is refused, too, and the daemon is told")
    func refusedTwice() async throws {
        let world = try BridgeWorld([Self.refused])
        let failure = try #require(try await world.outcome().failure)
        #expect(failure.kind == .personNeeded && failure.message.contains("run `postern sign-in work`"), "\(failure.message)")
        #expect(world.tokens == ["Bearer at-1", "Bearer at-2"])
        while world.daemon.calls(of: "ReportRefusedToken").isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        #expect(world.daemon.calls(of: "ReportRefusedToken").first?["accessToken"] == "at-2")
    }

    @Test("is not sent again with the token that was refused")
    func sameToken() async throws {
        let world = try BridgeWorld([Self.refused]) { call, _ in
            call.method == "io.postern.AuthorizeRequest" ? .reply(BridgeWorld.authorization("at-1")) : nil
        }
        #expect(try await world.outcome().failure?.kind == .personNeeded)
        #expect(world.tokens == ["Bearer at-1"])
    }

    @Test("has the server's nonce in its proof when it is sent again, and later ones have the newest")
    func nonce() async throws {
        let world = try BridgeWorld([
            Self.answer(401, "WWW-Authenticate: DPoP error=\"use_dpop_nonce\"", "DPoP-Nonce: n-1"),
            Self.answer(200, "DPoP-Nonce: n-2", body: "done"), Self.done,
        ])
        #expect(try await world.outcome() == .answer(200, "done"))
        #expect(try await world.outcome() == .answer(200, "done"))
        #expect(world.daemon.calls(of: "AuthorizeRequest").map { $0["dpopNonce"] } == [nil, "n-1", "n-2"])
    }

    @Test("needs a person where the server wants more than the token has, and then says what the daemon says")
    func stepUp() async throws {
        let world = try BridgeWorld([Self.answer(403, "WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"write\"")]) { call, _ in
            guard call.method == "io.postern.AuthorizeRequest", call.parameters["challenge"] != nil else { return nil }
            return .error(.stepUpRequired(message: "run `postern sign-in work --scope write`", providerID: "work", scopes: ["write"], acrValues: []))
        }
        let failure = try #require(try await world.outcome().failure)
        #expect(failure == BridgeFailure(.personNeeded, "run `postern sign-in work --scope write`", mayHaveReachedServer: true))
        #expect(world.tokens.count == 1)
    }

    @Test(
        "passes on a response that does not refuse its token",
        arguments: [
            answer(403, "WWW-Authenticate: Basic realm=\"x\"", body: "no"), answer(307, "Location: http://127.0.0.1:1/", body: "no"),
        ])
    func passes(_ answer: String) async throws {
        let world = try BridgeWorld([answer])
        guard case .answer(let status, "no") = try await world.outcome() else { return #expect(Bool(false), "\(answer)") }
        #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && world.tokens.count == 1)
    }

    @Test("is never sent again once the server may have it")
    func interrupted() async throws {
        for cut in ["", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart"] {
            let world = try BridgeWorld([cut])
            let failure = try #require(try await world.outcome().failure)
            #expect(failure.kind == .interrupted && failure.mayHaveReachedServer, "\(failure.message)")
            #expect(world.tokens.count == 1)
        }
    }

    @Test("fails as never sent if the server is unreachable")
    func unreachable() async throws {
        let world = try BridgeWorld([])
        let gone = try ScriptedServer([]).url
        let failure = try #require(try await world.outcome(url: gone).failure)
        #expect(failure.kind == .unreachable && !failure.mayHaveReachedServer, "\(failure.message)")
    }

    @Test("passes a streamed body on, and says that it cannot be sent twice after a 401, having asked for another token")
    func streamed() async throws {
        let accepted = try BridgeWorld([Self.done])
        #expect(try await accepted.outcome(body: .streamed(length: nil), parts: ["one", "two"]) == .answer(200, "done"))
        #expect(accepted.server.requests.first?.body == "3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n")
        let world = try BridgeWorld([Self.refused])
        let failure = try #require(try await world.outcome(body: .streamed(length: 6), parts: ["one", "two"]).failure)
        #expect(failure.message.contains("cannot be sent twice"), "\(failure.message)")
        #expect(world.tokens.count == 1 && world.challenges.count == 2)
    }

    // MARK: A person

    private static let signInRequired = InterfaceError.signInRequired(
        message: "nobody has signed in; run `postern sign-in work`", providerID: "work", reason: "x")

    @Test("fails at once if a sign-in is needed, with the message that names the command")
    func personNeeded() async throws {
        let world = try BridgeWorld([Self.done]) { call, _ in
            call.method == "io.postern.AuthorizeRequest" ? .error(Self.signInRequired) : nil
        }
        let failure = try await world.outcome().failure
        #expect(failure == BridgeFailure(.personNeeded, "nobody has signed in; run `postern sign-in work`"))
        #expect(world.server.requests.isEmpty)
    }

    /// Signed in when the daemon is followed, which it then reports.
    private static func signsInMeanwhile(_ watched: String) -> BridgeWorld.Rule {
        let isSignedIn = Mutex(false)
        let state = Box(isSignedIn)
        return { call, _ in
            if call.method == "io.postern.\(watched)" { state.value.withLock { $0 = true } }
            switch call.method {
            case "io.postern.AuthorizeRequest": return state.value.withLock { $0 } ? nil : .error(Self.signInRequired)
            case "io.postern.Monitor": return .replies([["time": "x", "kind": "credentialKept", "message": "x"]])
            case "io.postern.SignIn": return .replies([])
            default: return nil
            }
        }
    }

    private final class Box<Value: ~Copyable & Sendable>: Sendable {
        let value: Value
        init(_ value: consuming Value) { self.value = value }
    }

    @Test("waits for the user if it may, and continues after the sign-in")
    func waits() async throws {
        let world = try BridgeWorld([Self.done], rule: Self.signsInMeanwhile("Monitor"))
        #expect(try await world.outcome(waits: .minutes(1)) == .answer(200, "done"))
        #expect(world.daemon.calls(of: "SignIn").isEmpty, "no page is opened")
    }

    @Test("fails with the same message if the user does not sign in in time")
    func waitsForNobody() async throws {
        let world = try BridgeWorld([Self.done]) { call, _ in
            call.method == "io.postern.AuthorizeRequest" ? .error(Self.signInRequired) : nil
        }
        let failure = try await world.outcome(waits: .milliseconds(50)).failure
        #expect(failure == BridgeFailure(.personNeeded, "nobody has signed in; run `postern sign-in work`"))
    }

    @Test("has the page opened at once if requested")
    func interactive() async throws {
        let world = try BridgeWorld([Self.done], isInteractive: true, rule: Self.signsInMeanwhile("SignIn"))
        #expect(try await world.outcome(waits: .minutes(1)) == .answer(200, "done"))
        #expect(world.daemon.calls(of: "SignIn") == [["providerID": "work", "intent": "keep", "presentation": "daemon"]])
    }

    @Test("has it opened in the middle of a session, too, and does not wait there")
    func interactiveLater() async throws {
        let world = try BridgeWorld([Self.done], isInteractive: true, rule: Self.signsInMeanwhile("SignIn"))
        #expect(try await world.outcome().failure?.kind == .personNeeded)
        while world.daemon.calls(of: "SignIn").isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        #expect(try await world.outcome() == .answer(200, "done"))
    }
}
