import PosternCore
import PosternInterface

/// What happens, reported once: to the log, and to everybody who asked with `Monitor`.
///
/// The kind of an event decides who is told, under which name, and how weighty it is. Ids and words; never a token, a code, a state
/// or a secret.
@DaemonActor
public final class EventLog {
    public enum Level: Int, Comparable, Sendable {
        case error, warning, notice, info, debug

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The process that asked, as the kernel knew it when it connected.
    public struct Requester: Sendable {
        public var pid: Int32
        public var executable: String?
        public var unit: String?
    }

    /// An event as it is recorded.
    public struct Entry: Sendable {
        public var kind: Kind
        public var category: Category
        public var level: Level
        public var message: String
        public var sessionID: String?
        public var providerID: String?
        public var uid: String?
        public var requester: Requester?
    }

    /// Less weighty entries are not written. `Monitor` tells them anyway.
    public var level: Level
    var listeners: [UInt64: Listener] = [:]
    var lastListener: UInt64 = 0
    private let writer: any LogWriter
    private let clock: any WallClock

    public init(level: Level, writer: any LogWriter, clock: any WallClock) {
        self.level = level
        self.writer = writer
        self.clock = clock
    }

    /// Tells everybody who is to know of this kind of event.
    ///
    /// - Parameters:
    ///   - message: one sentence for all of them; not made if nobody is told.
    ///   - level: where this event is more or less weighty than its kind.
    ///   - providerID: the session's, if none is given; as with `app`.
    public func report(
        _ kind: Kind, _ message: @autoclosure () -> String, level: Level? = nil, session: SignInSession? = nil, providerID: String? = nil,
        uid: String? = nil, app: String? = nil, requester: Requester? = nil
    ) {
        let rule = kind.rule
        let level = level ?? rule.level
        let category = level <= self.level ? rule.category : nil
        let monitorKind = isWatched ? rule.monitorKind : nil
        guard category != nil || monitorKind != nil else { return }
        let message = message()
        let providerID = providerID ?? session?.question.providerID
        if let category {
            writer.write(
                Entry(
                    kind: kind, category: category, level: level, message: message, sessionID: session?.id, providerID: providerID,
                    uid: uid,
                    requester: requester))
        }
        if let monitorKind {
            tellListeners(
                Interface.Monitor.Reply(
                    time: "\(clock.now)", kind: monitorKind, sessionID: session?.id, providerID: providerID, uid: uid,
                    app: app ?? session?.question.app, message: message))
        }
    }
}

/// Where entries go.
@DaemonActor
public protocol LogWriter: AnyObject {
    func write(_ entry: EventLog.Entry)
}
