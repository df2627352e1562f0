import PosternClient
import StrictJSON
import Testing

@testable import TestDaemon
@testable import postern

@Suite("Other programs that wait for a sign-in")
struct JoinWatchTests {
    private static func event(_ kind: String, _ sessionID: String) -> Interface.Monitor.Reply {
        Interface.Monitor.Reply(time: "2026-11-21T06:24:00Z", kind: kind, sessionID: sessionID, message: "x")
    }

    @Test(
        "only a sign-in that was seen to start and that nobody joined may be ended",
        arguments: [
            ([("signInStarted", "s1")], true),
            ([("signInStarted", "s1"), ("signInJoined", "s1")], false),
            ([("signInJoined", "s1"), ("signInStarted", "s1")], false),
            ([("signInStarted", "s2"), ("signInJoined", "s2")], false),
            ([("signInStarted", "s1"), ("signInJoined", "s2"), ("pageOpened", "s1")], true),
            ([], false),
        ] as [([(String, String)], Bool)])
    func alone(events: [(String, String)], isAlone: Bool) {
        #expect(JoinWatch.isAlone(in: "s1", events: events.map(Self.event)) == isAlone)
    }

    @Test(
        "the command's own joining, to change the way, is nobody else's",
        arguments: [(0, 0, true), (1, 0, false), (1, 1, true), (2, 1, false), (2, 2, true)])
    func ownJoins(joins: Int, own: Int, isAlone: Bool) {
        let events = [Self.event("signInStarted", "s1")] + (0..<joins).map { _ in Self.event("signInJoined", "s1") }
        #expect(JoinWatch.isAlone(in: "s1", ownJoins: own, events: events) == isAlone)
    }

    /// What the daemon tells up to its answer to the second call, which is the question whether anybody else is there.
    private func isAlone(
        told: [Interface.Monitor.Reply], answer: TestDaemon.Answer = .replies([Interface.ListSessions.Reply(sessions: []).object])
    ) throws -> Bool {
        let asked = Gate()
        let isTold = Gate()
        let daemon = try TestDaemon { call in
            guard call.method != "io.postern.Monitor" else {
                return .stream { send in
                    asked.waitUntilOpen()
                    for event in told { send(event.object) }
                    isTold.open()
                }
            }
            // The first call is the watch's own.
            if asked.visits() > 1 {
                asked.open()
                isTold.waitUntilOpen()
            }
            return answer
        }
        var watch = try JoinWatch(socketPath: daemon.path)
        defer { watch.stop() }
        let connection = try PosternConnection(socketPath: daemon.path)
        defer { connection.close() }
        return watch.isAlone(in: "s1", asking: connection)
    }

    @Test("a program that joined at the last moment is seen")
    func lastMoment() throws {
        #expect(try isAlone(told: [Self.event("signInStarted", "s1")]))
        #expect(try !isAlone(told: [Self.event("signInStarted", "s1"), Self.event("signInJoined", "s1")]))
    }

    @Test("if many events arrived, or the daemon does not answer, others are assumed to wait")
    func uncertain() throws {
        let much = (0..<100).map { Self.event("pageOpened", "s\($0 + 2)") }
        #expect(try !isAlone(told: [Self.event("signInStarted", "s1")] + much))
        #expect(try !isAlone(told: [Self.event("signInStarted", "s1")], answer: .error("org.varlink.service.MethodNotFound", [:])))
    }
}
