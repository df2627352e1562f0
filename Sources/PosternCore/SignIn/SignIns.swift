/// All sign-ins in progress or recently finished.
///
/// Decisions only: an event's consequences are returned as actions, for others to carry out. What happens to one sign-in is an event of its
/// ``SignInMachine``, and comes to it through ``change(_:_:)``; the methods here are events that concern the others too.
public struct SignIns: Sendable {
    /// The most sign-ins in progress: no person can answer so many pages, and a program out of control is stopped here.
    public static let sessionLimit = 64
    /// How long the result of a finished sign-in can be fetched, and its page reloaded, in seconds.
    public static let retentionSeconds: Int64 = 600
    /// How many finished sign-ins are remembered; beyond that the oldest are dropped early.
    public static let finishedLimit = 256
    /// However many programs join it, a sign-in waits no longer than the longest time that one may request, in seconds.
    public static let longestLifeSeconds: Int64 = 3600

    enum Mode: Sendable {
        case serving
        /// The daemon is about to end: no more requests to providers. The next run continues the rest.
        case ending
        /// The store is being locked.
        case locking
    }

    var machines: [String: SignInMachine] = [:]
    private var idByKey: [[UInt8]: String] = [:]
    private var idByPage: [String: String] = [:]
    /// Those in progress. Queried far more often than changed, while there are many finished ones.
    private var liveIDs: Set<String> = []
    /// When each of them has something to do next, if it waits for a time. Queried after every event.
    private var deadlines: [String: Timestamp] = [:]
    private var lastGeneration: UInt64 = 0
    private var lastWaiter: UInt64 = 0
    var mode = Mode.serving {
        didSet {
            guard (mode == .serving) != (oldValue == .serving) else { return }
            for (id, machine) in machines { deadlines[id] = machine.nextDeadline(polls: mode == .serving) }
        }
    }

    public init() {}

    // MARK: Changing one of them

    /// What was begun for a sign-in ended. If that life of it is over, the event comes to a machine that is over too, and knows what is to be
    /// given back.
    public mutating func change(_ ticket: SignInTicket, _ event: (inout SignInMachine) -> [SignInAction]) -> [SignInAction] {
        let changed = changeCurrent(ticket) { machine in
            let wasFinished = machine.isFinished
            return (actions: event(&machine), hasFinished: !wasFinished && machine.isFinished)
        }
        if let changed { return changed.hasFinished ? changed.actions + forgetSurplus() : changed.actions }
        var over = SignInMachine(
            generation: ticket.generation, session: ticket.session, expiresAt: ticket.session.startedAt,
            latestEnd: ticket.session.startedAt, stateHashes: [], flows: [], state: .over)
        let actions = event(&over)
        // What it wrote belongs to its next life, if it was restored with the store.
        return self[ticket.session.id] == nil ? actions : actions.filter { if case .delete = $0 { false } else { true } }
    }

    /// - Returns: nil if that life of the sign-in is over.
    private mutating func changeCurrent<Result>(_ ticket: SignInTicket, _ event: (inout SignInMachine) -> Result) -> Result? {
        guard machines[ticket.session.id]?.generation == ticket.generation else { return nil }
        return change(id: ticket.session.id, event)
    }

    /// Something happened to a sign-in that is known by its name.
    ///
    /// - Returns: nil if there is none.
    public mutating func change<Verdict>(id: String, _ event: (inout SignInMachine) -> Verdict) -> Verdict? {
        // Taken out, so that it is changed in place and not copied.
        guard var machine = machines.removeValue(forKey: id) else { return nil }
        let verdict = event(&machine)
        if case .over = machine.state { unindex(machine) } else { index(machine) }
        return verdict
    }

    private mutating func index(_ machine: SignInMachine) {
        for key in machine.stateHashes { idByKey[key] = machine.session.id }
        idByPage[machine.session.pageID] = machine.session.id
        if machine.isLive { liveIDs.insert(machine.session.id) } else { liveIDs.remove(machine.session.id) }
        deadlines[machine.session.id] = machine.nextDeadline(polls: mode == .serving)
        machines[machine.session.id] = machine
    }

    private mutating func unindex(_ machine: SignInMachine) {
        for key in machine.stateHashes where idByKey[key] == machine.session.id { idByKey[key] = nil }
        idByPage[machine.session.pageID] = nil
        liveIDs.remove(machine.session.id)
        deadlines[machine.session.id] = nil
    }

    /// When ``timePassed(now:)`` has something to do next; nil if nothing waits.
    public var nextDeadline: Timestamp? { deadlines.values.min() }

    /// Oldest first.
    var ids: [String] {
        machines.values.map(\.session).sorted { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }.map(\.id)
    }

    private mutating func newGeneration() -> UInt64 {
        lastGeneration += 1
        return lastGeneration
    }

    public mutating func newWaiter(
        for flow: ProviderFlow?, presenter: PagePresenter?, wantsEveryEvent: Bool, deadline: Timestamp?, requester: String?
    ) -> SignInWaiter {
        lastWaiter += 1
        return SignInWaiter(
            id: WaiterID(lastWaiter), flow: flow, presenter: presenter, wantsEveryEvent: wantsEveryEvent, deadline: deadline,
            requester: requester)
    }

    // MARK: Reading

    public subscript(id: String) -> SignInMachine? { machines[id] }

    public subscript(page page: String) -> SignInMachine? { idByPage[page].flatMap { self[$0] } }

    public var all: [SignInMachine] { ids.compactMap { self[$0] } }

    /// The number of sign-ins that a user or a provider still has to answer.
    public var liveCount: Int { liveIDs.count }

    /// Of those that wait for the user while no program waits for them, the one that began first: if there are too many, it is ended,
    /// because nobody else ends it.
    private var oldestUnattended: SignInMachine? { oldestLive { $0.waiters.isEmpty && $0.phase == .authorizationPending } }

    private func oldestLive(where isMeant: (SignInMachine) -> Bool) -> SignInMachine? {
        liveIDs.compactMap { machines[$0] }.filter(isMeant)
            .min { ($0.session.startedAt, $0.session.id) < ($1.session.startedAt, $1.session.id) }
    }

    /// Where sign-ins that wait for the user expect the provider's answer.
    public var awaitedURIs: Set<String> {
        var uris: Set<String> = []
        for id in liveIDs {
            guard let machine = machines[id], machine.phase == .authorizationPending else { continue }
            uris.insert(machine.session.relayedTo ?? machine.session.redirectURI)
        }
        return uris
    }

    // MARK: Beginning

    public enum Opening: Sendable, Equatable {
        /// An equal request is waiting: share its page and its answer.
        case join(sessionID: String)
        case start
        case tooManySessions(limit: Int)
    }

    /// - Parameters:
    ///   - flow: the one that the program wants.
    ///   - isCurrent: whether the provider that a sign-in is bound to is the one configured now; nobody joins a page of another.
    public func opening(
        for request: SignInRequest, by flow: ProviderFlow, now: Timestamp, isCurrent: (ProviderBinding) -> Bool = { _ in true }
    ) -> Opening {
        // The oldest, so that everybody joins the same one.
        let waiting = oldestLive {
            $0.expiresAt > now && $0.session.request == request && $0.isJoinable(by: flow) && isCurrent($0.session.binding)
        }
        if let waiting { return .join(sessionID: waiting.session.id) }
        guard liveCount < Self.sessionLimit || oldestUnattended != nil else { return .tooManySessions(limit: Self.sessionLimit) }
        return .start
    }

    /// Added before anything is done for it: programs that ask the same meanwhile join.
    ///
    /// - Parameter waiter: the program that asked; the sign-in waits as long as it does.
    public mutating func began(
        _ session: SignInSession, secrets: FlowSecrets, by flow: ProviderFlow, expiresAt: Timestamp, waiter: SignInWaiter
    ) -> [SignInAction] {
        let machine = SignInMachine(
            generation: newGeneration(), session: session, secrets: secrets, flow: flow, expiresAt: expiresAt, waiter: waiter)
        let oldest = liveCount < Self.sessionLimit ? nil : oldestUnattended
        let ended = oldest.flatMap { change(id: $0.session.id) { $0.fail(.cancelled, now: session.startedAt) } } ?? []
        index(machine)
        return ended + machine.began()
    }

    /// What is on disk, at the start and after every lock. What began meanwhile is known already.
    public mutating func restored(_ stored: [StoredSignIn], now: Timestamp) -> [SignInAction] {
        var actions: [SignInAction] = []
        for stored in stored where machines[stored.session.id] == nil {
            let (machine, next) = SignInMachine.restored(stored, generation: newGeneration(), now: now)
            index(machine)
            actions += next
        }
        return actions
    }

    // MARK: Keys of callbacks

    /// A key belongs to one sign-in. Otherwise a server that gave out another's request token would be sent the answer meant for that one.
    private func isTaken(_ key: [UInt8]?, from ticket: SignInTicket) -> Bool {
        key.flatMap { idByKey[$0] }.map { $0 != ticket.session.id } ?? false
    }

    static let takenKey = ProviderFailure.exchangeFailed(
        error: nil, description: nil, message: "the provider gave a request token that another sign-in already has")

    /// - Parameter redirectURI: the client's own; nil: as the sign-in began.
    public mutating func prepared(
        _ ticket: SignInTicket, _ way: PreparedWay, binding: ProviderBinding, redirectURI: String? = nil, now: Timestamp
    ) -> [SignInAction] {
        let isTaken = if case .page(let made) = way { isTaken(made.key, from: ticket) } else { false }
        return change(ticket) {
            isTaken ? $0.fail(.provider(Self.takenKey), now: now) : $0.prepared(way, binding: binding, redirectURI: redirectURI)
        }
    }

    public mutating func pageMade(_ made: MadePage, for renewal: PageRenewal, now: Timestamp) -> [SignInAction] {
        let isTaken = isTaken(made.key, from: renewal.ticket)
        return change(renewal.ticket) {
            isTaken ? $0.pageNotMade(renewal, Self.takenKey, now: now) : $0.pageMade(made, for: renewal)
        }
    }

    /// A redirect came back. Only its state, or the request token that replaces it, decides whether it means anything; without one that
    /// waits it changes nothing (RFC 9700 section 4.7).
    public mutating func callbackArrived(_ callback: SignInCallback, now: Timestamp) -> CallbackVerdict {
        guard let id = idByKey[callback.key] else { return .notRecognised }
        return change(id: id) { $0.callbackArrived(callback, now: now) } ?? .notRecognised
    }

    // MARK: Programs and people

    public mutating func waiterLeft(_ waiter: WaiterID) -> [SignInAction] {
        guard let id = machines.values.first(where: { $0.waiter(waiter) != nil })?.session.id else { return [] }
        return change(id: id) { $0.waiterLeft(waiter) } ?? []
    }

    /// - Returns: what to open; nil if it is no longer wanted.
    public mutating func pageTurnCame(_ ticket: SignInTicket) -> Secret? { changeCurrent(ticket) { $0.pageTurnCame() } ?? nil }
}
