import PosternCore

/// What the daemon writes down of what happens. Ids and words; never a token, a code, a state or a secret.
@DaemonActor
final class DaemonLog {
    enum Level: Int, Comparable {
        case error, warning, notice, info, debug

        static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// Kinds of entries that somebody may look for; each has its message ID in the journal.
    enum Event {
        case started, stopping, signInStarted, signInCompleted, signInFailed, callbackRefused, tokenRefreshed, refreshFailed
        case configuration, storeProblem, providerProblem
    }

    /// The process that asked, as the kernel knew it when it connected.
    struct Requester {
        var pid: Int32
        var executable: String?
        var unit: String?
    }

    struct Entry {
        var level: Level
        var message: String
        var event: Event?
        var sessionID: String?
        var providerID: String?
        var uid: String?
        var requester: Requester?
    }

    /// Less weighty entries are dropped.
    var level: Level
    private let write: @DaemonActor (Entry) -> Void

    init(level: Level, write: @escaping @DaemonActor (Entry) -> Void) {
        self.level = level
        self.write = write
    }

    func error(_ message: @autoclosure () -> String, event: Event, session: SignInSession? = nil, providerID: String? = nil) {
        log(.error, message, event, session, providerID, nil)
    }

    func warning(_ message: @autoclosure () -> String, event: Event, session: SignInSession? = nil, providerID: String? = nil) {
        log(.warning, message, event, session, providerID, nil)
    }

    func notice(
        _ message: @autoclosure () -> String, event: Event, session: SignInSession? = nil, providerID: String? = nil, uid: String? = nil
    ) {
        log(.notice, message, event, session, providerID, uid)
    }

    func info(
        _ message: @autoclosure () -> String, event: Event, session: SignInSession? = nil, providerID: String? = nil,
        requester: Requester? = nil
    ) {
        log(.info, message, event, session, providerID, nil, requester)
    }

    private func log(
        _ level: Level, _ message: () -> String, _ event: Event, _ session: SignInSession?, _ providerID: String?, _ uid: String?,
        _ requester: Requester? = nil
    ) {
        guard level <= self.level else { return }
        write(
            Entry(
                level: level, message: message(), event: event, sessionID: session?.id,
                providerID: providerID ?? session?.question.providerID, uid: uid, requester: requester))
    }
}
