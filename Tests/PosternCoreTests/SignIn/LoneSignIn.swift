@testable import PosternCore

/// One sign-in with what stands around it: its programs, its provider, its disk and the clock. What was asked for is answered once, in any
/// order; in the loose kind everything is answered at any time and any number of times, whether it was asked for or not.
struct LoneSignIn {
    /// What was begun, and ends with an answer.
    enum Due: Hashable {
        case prepared(ProviderFlow)
        case stored(until: Timestamp)
        case extended(WaiterID, until: Timestamp)
        case pageMade(WaiterID), pageStored(WaiterID)
        case codeGiven, codeStored
        case polled, marked, exchanged(isGrant: Bool), kept, endStored
        case delivered([WaiterID])
        case pageTurn, pageOpened
    }

    enum Answer {
        case good, bad, providerGone, refused, pending, slower, over, denied
    }

    enum Event: Hashable {
        case answered(Due, Answer)
        case joined(WaiterID), attached(WaiterID), left(WaiterID)
        case callback(digest: UInt8)
        case cancelled, providerChanged, userDeleted
        /// The next deadline comes; that it was noticed is another event.
        case clock, timePassed
        case clockSet(seconds: Int64)
        case lockBegan, storeClosed
        /// The daemon, or the store that was locked, begins again with what is on disk.
        ///
        /// - Parameter isLate: what was being written was written before.
        case restart(isLate: Bool)
    }

    enum Disk: Hashable {
        case nothing
        case pending(until: Timestamp, states: Int, hasCode: Bool)
        case exchanging(until: Timestamp, states: Int)
        case ended(End, until: Timestamp, states: Int)
    }

    enum End: Hashable {
        case completed, refused, failed(SignInFailure), delivered
    }

    var machine: SignInMachine
    /// Answers come without having been asked for, too.
    let isLoose: Bool
    let flow: ProviderFlow
    var time = now
    var open: [Due] = []
    var disk = Disk.nothing
    var isLocking = false
    /// How often it can still begin again with what is on disk.
    var furtherLives: Int
    /// Programs that may come, each once.
    var absent: Set<WaiterID>
    /// Programs that came, have not left and have no answer.
    var waiting: Set<WaiterID> = []
    /// Codes and grants that were sent to be exchanged.
    var exchanges = 0
    /// Grants that came and were neither kept nor given back.
    var grants = 0
    var polledAt: Timestamp?
    var isClockSet = false
    var broken: String?
    /// The last event began something.
    var isAsking = false

    static let device: DeviceAuthorization = {
        var device = SignInWorld.device
        device.expiresAt = now.adding(seconds: 6)
        return device
    }()
    static let secrets = FlowSecrets(codeVerifier: Secret("v"), nonce: Secret("n"))
    static let failure = ProviderFailure.unreachable(message: "away")
    static let full = ProviderFailure.storeUnavailable(message: "full")
    static let gone = ProviderFailure.providerNotConfigured(message: "gone")

    /// A sign-in that a program asks for.
    init(asking flow: ProviderFlow, others: Set<UInt64> = [2, 3, 4], lives: Int = 3, isLoose: Bool = false) {
        self.flow = flow
        self.isLoose = isLoose
        absent = Set(others.map { WaiterID($0) })
        furtherLives = lives
        machine = SignInMachine(
            generation: 1, session: SignInWorld.session("a"), secrets: Self.secrets, flow: flow,
            expiresAt: now.adding(seconds: 600), waiter: Self.program(WaiterID(1), flow))
        waiting = [WaiterID(1)]
        perform(machine.began())
    }

    /// A sign-in that is on disk.
    init(_ disk: Disk, others: Set<UInt64> = [2, 3, 4], lives: Int = 3, isLoose: Bool = false) {
        self.init(asking: .browser, others: others, lives: lives, isLoose: isLoose)
        self.disk = disk
        restart()
    }

    /// The first asks and the second joins, with more patience; the others attach: one for what there is, one for the other flow.
    static func program(_ id: WaiterID, _ flow: ProviderFlow) -> SignInWaiter {
        func waiter(_ flow: ProviderFlow?, _ presenter: PagePresenter?, listens: Bool = true, seconds: Int64?) -> SignInWaiter {
            SignInWaiter(
                id: id, flow: flow, presenter: flow == .device ? nil : presenter, wantsEveryEvent: listens,
                deadline: seconds.map { now.adding(seconds: $0) }, requester: id.rawValue == 2 ? "other" : nil)
        }
        switch id.rawValue {
        case 1: return waiter(flow, .client, seconds: 600)
        case 2: return waiter(flow, .daemon, listens: false, seconds: SignIns.longestLifeSeconds + 60)
        case 3: return waiter(nil, .client, seconds: nil)
        default: return waiter(flow == .browser ? .device : .browser, .daemon, seconds: 7)
        }
    }
}

// MARK: What comes of an event

extension LoneSignIn {
    mutating func perform(_ actions: [SignInAction]) {
        for action in actions {
            if action.isBeginning { isAsking = true }
            switch action {
            case .prepare(_, _, let flow): open.append(.prepared(flow))
            case .makePage(let renewal): open.append(.pageMade(renewal.waiter))
            case .getCode: open.append(.codeGiven)
            case .poll:
                check(open.contains(.polled) && !isLoose, "two polls at the same time")
                check(polledAt.map { time < $0.adding(seconds: Self.device.intervalSeconds) } ?? false, "a poll too soon")
                polledAt = time
                open.append(.polled)
            case .exchange(_, let answer, _):
                exchanges += 1
                check(exchanges > 1, "an answer is exchanged twice")
                if case .exchanging = disk {} else { check(!isLoose, "sent before that was on disk") }
                open.append(.exchanged(isGrant: answer.isGrant))
            case .keep: open.append(.kept)
            case .openPage: open.append(.pageTurn)
            case .write(_, let write): perform(write)
            case .takeBack, .discard: grants -= 1
            case .note(_, .grantLost): grants -= 1
            case .delete: disk = .nothing
            case .tell(let id, let progress):
                check(!waiting.contains(id), "a program that does not wait is sent progress")
                check(progress.expiresAt > machine.latestEnd, "a promise beyond the longest life")
                check(!isLoose && !isShown(progress), "shown before it is on disk")
            case .fail(let ids, _, let failure):
                check(!isLoose && machine.isRecording && machine.outcome == .failed(failure), "an end is told before it is on disk")
                for id in ids { say(to: id) }
            case .refuse(let ids, _, _): for id in ids { say(to: id) }
            case .deliver(let delivery):
                check(open.contains { if case .delivered = $0 { true } else { false } } && !isLoose, "two deliveries at the same time")
                check(!isLoose && !isOnDisk(delivery.outcome), "delivered before it is on disk")
                open.append(.delivered(delivery.waiters))
            case .wakePages, .note: break
            }
        }
    }

    private mutating func perform(_ write: SignInWrite) {
        switch write {
        case .begin(let stored): open.append(.stored(until: stored.expiresAt))
        case .extend(let until, nil): open.append(.stored(until: until))
        case .extend(let until, let waiter?): open.append(.extended(waiter, until: until))
        case .page(_, let renewal, _, _): open.append(.pageStored(renewal.waiter))
        case .newCode: open.append(.codeStored)
        case .exchanging: open.append(.marked)
        case .end: open.append(.endStored)
        // Nothing waits for these.
        case .prolong: break
        case .code(let device, _):
            if case .pending(let until, let states, _) = disk { disk = .pending(until: until, states: states, hasCode: device != nil) }
        case .delivered: if case .ended(_, let until, let states) = disk { disk = .ended(.delivered, until: until, states: states) }
        }
    }

    mutating func check(_ isBroken: Bool, _ rule: @autoclosure () -> String) {
        if isBroken, broken == nil { broken = rule() }
    }

    /// The final answer.
    mutating func say(to id: WaiterID) {
        check(waiting.remove(id) == nil, "told twice, or without waiting: \(id.rawValue)")
    }

    private func isShown(_ progress: SignInProgress) -> Bool {
        switch disk {
        case .nothing, .ended: false
        case .pending(_, _, let hasCode): progress.userCode == nil || hasCode
        case .exchanging: progress.phase == .exchanging
        }
    }

    private func isOnDisk(_ outcome: SignInOutcome) -> Bool {
        guard case .ended(let end, _, _) = disk else { return false }
        return switch outcome {
        case .completed, .kept: end == .completed
        case .refused: end == .refused
        case .failed(let failure): end == .failed(failure)
        }
    }
}

extension SignInAction {
    /// Nobody asks for this once a sign-in has ended.
    fileprivate var isBeginning: Bool {
        switch self {
        case .prepare, .makePage, .getCode, .poll, .exchange, .keep, .openPage, .tell: true
        case .write(_, .end), .write(_, .delivered): false
        case .write: true
        case .takeBack, .discard, .delete, .fail, .refuse, .deliver, .wakePages, .note: false
        }
    }
}

// MARK: The disk

extension LoneSignIn {
    /// - Returns: false if the store refuses it, as what it belongs to has ended.
    mutating func write(_ due: Due, _ answer: Answer = .good) -> Bool {
        switch (due, disk) {
        case (.stored(let until), .nothing):
            var hasCode = false
            if case .preparing(let preparing) = machine.state, case .storing(.code, _) = preparing.step { hasCode = true }
            disk = .pending(until: until, states: machine.stateHashes.count, hasCode: hasCode)
        case (.stored(let until), .pending(_, let states, let hasCode)), (.extended(_, let until), .pending(_, let states, let hasCode)):
            disk = .pending(until: until, states: states, hasCode: hasCode)
        case (.pageStored, .pending(let until, let states, let hasCode)):
            disk = .pending(until: until, states: states + 1, hasCode: hasCode)
        case (.codeStored, .pending(let until, let states, _)): disk = .pending(until: until, states: states, hasCode: true)
        case (.marked, .pending(let until, let states, _)): disk = .exchanging(until: until, states: states)
        case (.kept, .exchanging(_, let states)):
            disk = .ended(answer == .refused ? .refused : .completed, until: time.adding(seconds: SignIns.retentionSeconds), states: states)
        case (.endStored, .pending(let until, let states, _)), (.endStored, .exchanging(let until, let states)):
            guard case .failed(let failure) = machine.outcome else { return false }
            disk = .ended(.failed(failure), until: until, states: states)
        default: return false
        }
        return true
    }

    mutating func restart() {
        open = []
        grants = 0
        polledAt = nil
        isLocking = false
        furtherLives -= 1
        waiting = []
        guard let stored else { return }
        let (restored, actions) = SignInMachine.restored(
            stored, generation: 2, now: time)
        machine = restored
        perform(actions)
    }

    private var stored: StoredSignIn? {
        func stored(_ until: Timestamp, _ states: Int, _ status: StoredSignIn.Status) -> StoredSignIn {
            StoredSignIn(
                session: machine.session, stateHashes: (0..<states).map { [UInt8($0)] }, expiresAt: until, status: status)
        }
        return switch disk {
        case .nothing: nil
        case .pending(let until, let states, let hasCode): stored(until, states, .pending(Self.secrets, hasCode ? Self.device : nil))
        case .exchanging(let until, let states): stored(until, states, .exchanging)
        case .ended(let end, let until, let states):
            switch end {
            case .completed: stored(until, states, .ended(.completed(SignInWorld.completed), isDelivered: false))
            case .refused: stored(until, states, .ended(.refused(.userMismatch, SignInWorld.completed), isDelivered: false))
            case .failed(let failure): stored(until, states, .ended(.failed(failure), isDelivered: false))
            case .delivered:
                stored(until, states, .ended(SignInOutcome.completed(SignInWorld.completed).withoutSecrets, isDelivered: true))
            }
        }
    }
}
