import PosternClient
import Varlink

/// Watches who else asks for the same sign-in, to know on Ctrl-C whether it may be ended or others wait for it.
///
/// The interface counts no waiters, but `Monitor` tells of each sign-in that starts and of each program that joins one. What it
/// told stays in the socket until it is asked for; before that the daemon is called once more, so that whatever
/// happened is there. Who was not seen to start alone is taken for joined: giving up too little is harmless, a sign-in ends by
/// itself.
///
/// What remains: `CancelSession` has no condition, so a program that joins in the instant between the question and the
/// cancellation loses its share, too, and is told `SignInCancelled`. A program that took a sign-in up with `AttachSession`, which
/// `Monitor` does not tell, does not count.
struct JoinWatch {
    /// Kept open: with it the events would end.
    private let connection: PosternConnection
    private var replies: VarlinkReplies
    private var events: [Interface.Monitor.Reply] = []

    /// The kernel keeps some two hundred messages for who does not read. Where half of that has come, the daemon may hold back
    /// more, and nothing is certain.
    private static let certain = 100
    /// Milliseconds that a daemon has to answer; one that does not is not asked to cancel anything either.
    private static let patience: Int64 = 1000

    /// Watches from now on: a sign-in that is asked for after this is seen to start.
    init(socketPath: String) throws(PosternError) {
        connection = try PosternConnection(socketPath: socketPath)
        replies = try connection.begin(Interface.Monitor.method.name, Interface.Monitor().object)
        // The daemon takes its connections in their order: an answer on a later one says that it watches.
        let other = try PosternConnection(socketPath: socketPath)
        defer { other.close() }
        // Where there is no answer, the question in the end gets none either.
        _ = Self.answers(other)
    }

    func stop() { connection.close() }

    /// To be asked once, since reading all that is there ends the watch, and right before the cancellation.
    ///
    /// - Parameters:
    ///   - ownJoins: how often this command has joined the sign-in that it began itself.
    ///   - connection: the one that will carry the cancellation, so that no time goes by in between.
    mutating func isAlone(in sessionID: String, ownJoins: Int = 0, asking connection: PosternConnection) -> Bool {
        guard Self.answers(connection) else { return false }
        while events.count < Self.certain {
            do throws(VarlinkClientError) {
                guard let reply = try replies.next(timeout: .zero) else { return false }
                do throws(PosternError) { events.append(try PosternConnection.read(Interface.Monitor.Reply.self, from: reply)) } catch {
                    return false
                }
            } catch .timedOut {
                return Self.isAlone(in: sessionID, ownJoins: ownJoins, events: events)
            } catch {
                return false
            }
        }
        return false
    }

    static func isAlone(in sessionID: String, ownJoins: Int = 0, events: [Interface.Monitor.Reply]) -> Bool {
        let kinds = events.filter { $0.sessionID == sessionID }.map(\.kind)
        return kinds.contains("signInStarted") && kinds.count { $0 == "signInJoined" } <= ownJoins
    }

    /// Everything that the daemon did before this answer has been told.
    private static func answers(_ connection: PosternConnection) -> Bool {
        (try? connection.call(Interface.ListSessions(), timeoutMilliseconds: patience)) != nil
    }
}
