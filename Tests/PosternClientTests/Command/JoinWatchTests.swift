import PosternInterface
import Testing

@testable import postern

@Suite("Who else waits for a sign-in")
struct JoinWatchTests {
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
    func alone(events: [(String, String)], isAlone: Bool) throws {
        let daemon = try TestDaemon { _ in .silence(after: []) }
        let watch = try JoinWatch(socketPath: daemon.path)
        for (kind, sessionID) in events {
            watch.note(MonitorReply(time: "2026-11-21T06:24:00Z", kind: kind, sessionID: sessionID, message: "x"))
        }
        #expect(watch.isAlone(in: "s1") == isAlone)
    }
}
