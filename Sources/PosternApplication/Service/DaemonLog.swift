import PosternCore

/// What the daemon writes down of what happens. Ids and words; never a token, a code, a state or a secret.
@DaemonActor
public final class DaemonLog {
    public enum Level: Int, Comparable, Sendable {
        case error, warning, notice, info, debug

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// Kinds of entries that somebody may look for; each has its message ID in the journal.
    public enum Event: Sendable {
        case started, stopping, signInStarted, signInProgress, signInCompleted, signInFailed, callbackRefused, tokenRefreshed, refreshFailed
        case configuration, storeProblem, providerProblem
    }

    /// The process that asked, as the kernel knew it when it connected.
    public struct Requester: Sendable {
        public var pid: Int32
        public var executable: String?
        public var unit: String?
    }

    public struct Entry: Sendable {
        public var level: Level
        public var message: String
        public var event: Event?
        public var sessionID: String?
        public var providerID: String?
        public var uid: String?
        public var requester: Requester?
    }

    /// Less weighty entries are dropped.
    public var level: Level
    private let writer: any LogWriter

    public init(level: Level, writer: any LogWriter) {
        self.level = level
        self.writer = writer
    }

    public func error(_ message: @autoclosure () -> String, event: Event, session: SignInSession? = nil, providerID: String? = nil) {
        log(.error, message, event, session, providerID, nil)
    }

    public func warning(_ message: @autoclosure () -> String, event: Event, session: SignInSession? = nil, providerID: String? = nil) {
        log(.warning, message, event, session, providerID, nil)
    }

    public func notice(
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
        writer.write(
            Entry(
                level: level, message: message(), event: event, sessionID: session?.id,
                providerID: providerID ?? session?.question.providerID, uid: uid, requester: requester))
    }
}

/// Where entries go.
@DaemonActor
public protocol LogWriter: AnyObject {
    func write(_ entry: DaemonLog.Entry)
}
