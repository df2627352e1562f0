/// A program that waits for a sign-in: one call on one connection.
public struct WaiterID: Hashable, Sendable {
    public var rawValue: UInt64
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// All sign-ins under way or just over, and who waits for which.
///
/// Decisions only: the coordinator stores, sends and opens what these methods say. A method is named for the event that
/// happened; an id that is no longer known makes it do nothing, so that a late answer cannot revive a sign-in.
public struct SignInTable: Sendable {
    /// So many pages at once no person can answer; a program gone wild is stopped here.
    public static let sessionLimit = 64
    /// How long the result of a finished sign-in can be fetched, and its page be reloaded.
    public static let retentionSeconds: Int64 = 600
    /// So many finished sign-ins are remembered; beyond that the oldest go before their time.
    public static let finishedLimit = 256
    /// However many programs join it, a sign-in waits no longer than the longest time that one may ask for.
    public static let longestLifeSeconds: Int64 = 3600

    struct Entry: Sendable {
        var session: SignInSession
        /// Each waiter with the moment at which it no longer wants to wait; nil where it waits as long as the sign-in does.
        var waiters: [WaiterID: Timestamp?] = [:]
        /// Digest of the callback that was taken: the same again is a reload, another one is refused.
        var callbackDigest: [UInt8]?
    }

    var entries: [String: Entry] = [:]
    var idByStateHash: [[UInt8]: String] = [:]
    private var idByPage: [String: String] = [:]

    public init() {}

    // MARK: Reading

    public subscript(id: String) -> SignInSession? { entries[id]?.session }

    public func session(page: String) -> SignInSession? { idByPage[page].flatMap { entries[$0]?.session } }

    public var sessions: [SignInSession] {
        entries.values.map(\.session).sorted { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }
    }

    /// Sign-ins that a person or a provider still has to answer.
    public var liveCount: Int { entries.values.count { $0.session.phase.isLive } }

    public func waiters(of id: String) -> [WaiterID] {
        (entries[id]?.waiters.keys).map { $0.sorted { $0.rawValue < $1.rawValue } } ?? []
    }

    // MARK: Beginning

    public enum Opening: Sendable, Equatable {
        /// The same question waits already: share its page and its answer.
        case join(sessionID: String)
        case start
        case tooManySessions(limit: Int)
    }

    /// - Parameter isCurrent: the provider that a sign-in is bound to is the one that is configured now; nobody joins a page of another.
    public func opening(
        for question: SignInQuestion, now: Timestamp, isCurrent: (ProviderBinding) -> Bool = { _ in true }
    ) -> Opening {
        // The oldest, so that everybody joins the same one.
        let waiting = entries.values.map(\.session)
            .filter { $0.phase.isLive && $0.expiresAt > now && $0.question == question && isCurrent($0.binding) }
            .min { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }
        if let waiting { return .join(sessionID: waiting.id) }
        guard liveCount < Self.sessionLimit else { return .tooManySessions(limit: Self.sessionLimit) }
        return .start
    }

    /// A session begins, or comes back from disk.
    public mutating func began(_ session: SignInSession) {
        entries[session.id] = Entry(session: session)
        idByPage[session.pageID] = session.id
        for hash in session.stateHashes { idByStateHash[hash] = session.id }
    }

    /// Which client the provider is spoken to as is known now.
    public mutating func bound(_ id: String, to binding: ProviderBinding) { entries[id]?.session.binding = binding }

    /// The page was handed out anew, under another state.
    public mutating func stateAdded(_ hash: [UInt8], to id: String) {
        guard entries[id] != nil else { return }
        entries[id]?.session.stateHashes.append(hash)
        idByStateHash[hash] = id
    }

    /// - Parameter deadline: when this waiter gives up, though the sign-in may live on for others. The page waits for the most
    ///   patient of them. Nil: it waits as long as the sign-in does.
    public mutating func waiterJoined(_ waiter: WaiterID, session id: String, deadline: Timestamp?) {
        guard let session = entries[id]?.session else { return }
        entries[id]?.waiters.updateValue(deadline, forKey: waiter)
        guard let deadline, session.phase == .authorizationPending else { return }
        let latest = min(deadline, session.startedAt.adding(seconds: Self.longestLifeSeconds))
        entries[id]?.session.expiresAt = max(session.expiresAt, latest)
    }

    public mutating func waiterLeft(_ waiter: WaiterID, session id: String) {
        entries[id]?.waiters[waiter] = nil
    }

    // MARK: The callback

    public enum CallbackAction: Sendable, Equatable {
        /// Nothing that waits has this state. Nothing was changed.
        case notRecognised
        /// The same callback came before: show its result again.
        case repeated(pageID: String)
        /// The state is now used up; make that durable, then go on.
        case take(SignInSession)
    }

    /// A callback arrived whose state has this hash.
    ///
    /// - Parameters:
    ///   - path: where it arrived, in the words of ``SignInSession/awaits(answerAt:)``.
    ///   - requestToken: of OAuth 1.0a; nil where the callback names none.
    ///   - digest: of all that the callback said.
    public mutating func callbackArrived(
        stateHash: [UInt8], path: String, requestToken: Secret? = nil, digest: [UInt8], now: Timestamp
    ) -> CallbackAction {
        guard let id = idByStateHash[stateHash], let entry = entries[id] else { return .notRecognised }
        guard entry.session.awaits(answerAt: path) else { return .notRecognised }
        switch entry.session.phase {
        case .authorizationPending:
            guard entry.session.expiresAt > now, entry.session.knows(requestToken) else { return .notRecognised }
            entries[id]?.session.phase = .exchanging
            entries[id]?.session.requestTokens = []
            entries[id]?.callbackDigest = digest
            return .take(entry.session)
        case .exchanging, .completed, .failed:
            // After a restart the digest is gone; the page tells no secret, so showing it again is harmless.
            if let taken = entry.callbackDigest, taken != digest { return .notRecognised }
            // A session that ended before any callback (cancelled, timed out) used no state, and has no result to repeat.
            if entry.session.phase == .failed, entry.callbackDigest == nil { return .notRecognised }
            return .repeated(pageID: entry.session.pageID)
        }
    }

    /// The path part of an absolute URI, without query or fragment.
    static func path(of uri: String) -> Substring {
        var rest = uri[...]
        if let separator = rest.range(ofText: "://") {
            rest = rest[separator.upperBound...]
            rest = rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
        } else if let colon = rest.firstIndex(of: ":") {
            rest = rest[rest.index(after: colon)...]
        }
        return rest.prefix { $0 != "?" && $0 != "#" }
    }

    // MARK: Ending

    /// The sign-in came to its end.
    ///
    /// - Returns: the waiters to tell; none where the session is unknown or had ended before.
    public mutating func finished(_ id: String, outcome: SignInOutcome, now: Timestamp) -> [WaiterID] {
        guard let entry = entries[id], entry.session.phase.isLive else { return [] }
        let waiters = waiters(of: id)
        switch outcome {
        case .completed: entries[id]?.session.phase = .completed
        case .refused, .failed: entries[id]?.session.phase = .failed
        }
        entries[id]?.session.outcome = outcome
        entries[id]?.session.requestTokens = []
        entries[id]?.session.expiresAt = max(entry.session.expiresAt, now.adding(seconds: Self.retentionSeconds))
        entries[id]?.waiters = [:]
        return waiters
    }

    /// The result was handed out: its secrets are not needed any more.
    public mutating func delivered(_ id: String) {
        entries[id]?.session.isDelivered = true
        let outcome = entries[id]?.session.outcome
        entries[id]?.session.outcome = outcome?.withoutSecrets
    }

    /// Finished sign-ins that are too many: those that nobody can fetch a result of first, of these the oldest.
    public var surplus: [String] {
        let finished = entries.values.map(\.session).filter { !$0.phase.isLive }
        guard finished.count > Self.finishedLimit else { return [] }
        func rank(_ session: SignInSession) -> (Int, Timestamp, String) {
            (session.outcome?.hasCredential == true && !session.isDelivered ? 1 : 0, session.expiresAt, session.id)
        }
        return finished.sorted { rank($0) < rank($1) }.prefix(finished.count - Self.finishedLimit).map(\.id)
    }

    public mutating func forgot(_ id: String) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        idByPage[entry.session.pageID] = nil
        for hash in entry.session.stateHashes { idByStateHash[hash] = nil }
    }

    public struct Expiry: Sendable, Equatable {
        /// Pending sessions whose time is over: they end as `timedOut`.
        public var timedOut: [String] = []
        /// Waiters who wanted to wait less long than their session lives.
        public var impatient: [(waiter: WaiterID, sessionID: String)] = []
        /// Finished sessions that nobody can ask for any more.
        public var forgotten: [String] = []

        public static func == (left: Expiry, right: Expiry) -> Bool {
            left.timedOut == right.timedOut && left.forgotten == right.forgotten
                && left.impatient.map(\.waiter) == right.impatient.map(\.waiter)
        }
    }

    /// Time has passed. An exchange under way is not cut off here: it has deadlines of its own.
    public func expired(now: Timestamp) -> Expiry {
        var expiry = Expiry()
        for session in sessions {
            switch session.phase {
            case .authorizationPending where session.expiresAt <= now: expiry.timedOut.append(session.id)
            case .authorizationPending, .exchanging:
                for waiter in waiters(of: session.id) {
                    if case .some(let deadline?) = entries[session.id]?.waiters[waiter], deadline <= now {
                        expiry.impatient.append((waiter, session.id))
                    }
                }
            case .completed, .failed:
                if session.expiresAt <= now { expiry.forgotten.append(session.id) }
            }
        }
        return expiry
    }

    /// When ``expired(now:)`` has something to say next.
    public var nextDeadline: Timestamp? {
        entries.values.compactMap { entry in
            switch entry.session.phase {
            case .exchanging: entry.waiters.values.compactMap(\.self).min()
            case .authorizationPending: entry.waiters.values.compactMap(\.self).reduce(entry.session.expiresAt, min)
            case .completed, .failed: entry.session.expiresAt
            }
        }.min()
    }
}

extension SignInSession.Phase {
    /// Somebody still has to answer.
    public var isLive: Bool {
        switch self {
        case .authorizationPending, .exchanging: true
        case .completed, .failed: false
        }
    }
}

extension Substring {
    func range(ofText text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
