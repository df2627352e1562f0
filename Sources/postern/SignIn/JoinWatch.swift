import PosternClient

/// Watches who else requests the same sign-in, to know on Ctrl-C whether it may be ended or others wait for it.
///
/// The interface does not count waiters, but `Monitor` reports each sign-in that starts and each program that joins one. The reports stay
/// in the socket until they are needed; before that the daemon is called once more, so that all reports have arrived. A sign-in that was
/// not seen to start counts as joined: giving up too little is harmless, since a sign-in ends by itself.
///
/// One race remains: `CancelSession` is unconditional, so a program that joins between the check and the cancellation loses its share, too,
/// and receives `SignInCancelled`. A program that resumed a sign-in with `AttachSession`, which `Monitor` does not report, is not counted.
struct JoinWatch {
    private var watch: EventWatch
    private var events: [Interface.Monitor.Reply] = []

    /// The kernel keeps about two hundred messages for a client that does not read. If half as many have arrived, the daemon may hold back
    /// more, and the result is uncertain.
    private static let certain = 100
    /// Milliseconds within which a daemon must answer; otherwise it is not asked to cancel anything.
    private static let patience: Int64 = 1000

    /// Starts to watch: a sign-in that is requested later is seen to start.
    init(socketPath: String) throws(PosternError) {
        watch = try EventWatch(socketPath: socketPath)
        // If this call gets no reply, the final one gets none either.
        _ = try? PosternConnection.call(Interface.ListSessions(), at: socketPath, timeoutMilliseconds: Self.patience)
    }

    func stop() { watch.close() }

    /// Call it once, since reading all reports ends the watch, and right before the cancellation.
    ///
    /// - Parameters:
    ///   - ownJoins: how often this command has joined its own sign-in.
    ///   - connection: the one for the cancellation, so that no time passes in between.
    mutating func isAlone(in sessionID: String, ownJoins: Int = 0, asking connection: PosternConnection) -> Bool {
        // Everything that the daemon did before this reply has been reported.
        guard (try? connection.call(Interface.ListSessions(), timeoutMilliseconds: Self.patience)) != nil else { return false }
        do {
            while events.count < Self.certain {
                guard let event = try watch.next(within: 0) else { return Self.isAlone(in: sessionID, ownJoins: ownJoins, events: events) }
                events.append(event)
            }
        } catch {}
        return false
    }

    static func isAlone(in sessionID: String, ownJoins: Int = 0, events: [Interface.Monitor.Reply]) -> Bool {
        let kinds = events.filter { $0.sessionID == sessionID }.map(\.kind)
        return kinds.contains("signInStarted") && kinds.count { $0 == "signInJoined" } <= ownJoins
    }
}
