import PosternConfiguration
import PosternCore
import PosternInterface

/// What happens, reported once: to the log, and to every caller of `Monitor`.
///
/// The kind of an event decides who receives it, under which name, and at which level. Ids and words; never a token, a code, a state or a
/// secret.
@DaemonActor
public final class EventLog {
    public typealias Level = Configuration.LogLevel

    /// An event as it is recorded.
    public struct Entry: Sendable {
        public var kind: Kind
        public var category: Category
        public var level: Level
        public var message: String
        public var sessionID: String?
        public var providerID: String?
        public var uid: String?
        public var requester: CallingProcess?
    }

    /// Entries below this level are not written. `Monitor` reports them anyway.
    public private(set) var level: Level
    /// From the command line; overrides the configuration's.
    private let fixedLevel: Level?
    var listeners: [UInt64: Listener] = [:]
    var lastListener: UInt64 = 0
    private let writer: any LogWriter
    private let clock: any WallClock
    private var refusedCallbacks = LimitedEvent()

    /// - Parameter level: from the command line; nil for the configuration's, and its default until it is read.
    public init(level: Level?, writer: any LogWriter, clock: any WallClock) {
        fixedLevel = level
        self.level = level ?? Configuration().daemon.logLevel
        self.writer = writer
        self.clock = clock
    }

    public func configurationChanged(_ configuration: Configuration) {
        level = fixedLevel ?? configuration.daemon.logLevel
    }

    /// Reports an event to everyone who should receive its kind.
    ///
    /// - Parameters:
    ///   - message: one sentence for all of them, in the log without anybody's address; not evaluated if nobody receives it.
    ///   - level: set if this event has another level than its kind.
    ///   - providerID: the session's, if none is given; the same for `app`.
    public func report(
        _ kind: Kind, _ message: @autoclosure () -> String, level: Level? = nil, session: SignInSession? = nil, providerID: String? = nil,
        uid: String? = nil, app: AppName? = nil, requester: CallingProcess? = nil
    ) {
        let rule = kind.rule
        let level = level ?? rule.level
        let category = level <= self.level ? rule.category : nil
        let monitorKind = isWatched ? rule.monitorKind : nil
        guard category != nil || monitorKind != nil else { return }
        var message = message()
        if kind == .callbackRefused {
            guard let unreported = refusedCallbacks.happened(at: clock.now) else { return }
            if unreported > 0 { message += "; \(unreported) more were refused since the line before" }
        }
        let providerID = providerID ?? session?.request.providerID
        if let category {
            writer.write(
                Entry(
                    kind: kind, category: category, level: level, message: EmailAddress.struck(from: message), sessionID: session?.id,
                    providerID: providerID,
                    uid: uid,
                    requester: requester))
        }
        if let monitorKind {
            tellListeners(
                Interface.Monitor.Reply(
                    time: "\(clock.now)", kind: monitorKind, sessionID: session?.id, providerID: providerID, uid: uid,
                    app: (app ?? session.flatMap { $0.request.intent == nil ? nil : $0.request.app })?.text, message: message))
        }
    }
}

/// Where entries go.
@DaemonActor
public protocol LogWriter: AnyObject {
    func write(_ entry: EventLog.Entry)
}

/// What anybody may cause as often as they like, such as a page in the browser: a few at once are reported, and then one every ten seconds.
private struct LimitedEvent {
    private var pace = TokenBucket(capacity: 8, secondsPerToken: 10)
    private var unreported = 0

    /// - Returns: how often it happened unreported before this time; nil if this time is not to be reported.
    mutating func happened(at now: Timestamp) -> Int? {
        guard pace.take(now: now) else {
            unreported += 1
            return nil
        }
        defer { unreported = 0 }
        return unreported
    }
}
