import PosternClient
import PosternInterface
import Synchronization

/// Watches who else asks for the same sign-in, to know on Ctrl-C whether it may be ended or others wait for it.
///
/// The interface counts no waiters, but `Monitor` tells of each sign-in that starts and of each program that joins one.
/// Whoever was not seen to start alone is taken for joined: giving up too little is harmless, a sign-in ends by itself.
final class JoinWatch: Sendable {
    private struct Seen {
        var started: Set<String> = []
        var joined: Set<String> = []
    }

    private let connection: PosternConnection
    private let seen = Mutex(Seen())

    /// Watches from now on: a sign-in that is asked for after this is seen to start.
    init(socketPath: String) throws(PosternError) {
        connection = try PosternConnection(socketPath: socketPath)
        let replies = try connection.begin(MonitorParameters.method.name, MonitorParameters().object)
        _ = DedicatedThread.start { [self] in
            // Where this cannot be watched, nothing counts as alone.
            try? PosternConnection.forEach(in: replies) { note(try PosternConnection.read(MonitorReply.self, from: $0)) }
        }
    }

    func stop() { connection.close() }

    func isAlone(in sessionID: String) -> Bool {
        seen.withLock { $0.started.contains(sessionID) && !$0.joined.contains(sessionID) }
    }

    func note(_ event: MonitorReply) {
        guard let sessionID = event.sessionID else { return }
        seen.withLock { seen in
            switch event.kind {
            case "signInStarted": seen.started.insert(sessionID)
            case "signInJoined": seen.joined.insert(sessionID)
            default: break
            }
        }
    }
}
