import Testing
import Varlink

@testable import VarlinkServer

/// A machine with a client and a service that keep no order. It does what a connection does for each action, without a socket.
private struct LoneConnection: ~Copyable {
    enum Event: Hashable {
        case calls(Kind, ending: MessageEnding)
        /// The service replies, with its oldest handle or with its newest.
        case reply(isOldest: Bool, continues: Bool)
        case abandon
        case pauseOver
        case lateNUL
        /// The client reads its replies, or does not.
        case reads(Bool)
        case inputEnds
        case clientLeaves
        case closes
    }

    enum Kind: Hashable { case plain, more, oneway, faulty, atOnce }

    private struct Handle {
        var number: Int
        var kind: Kind
        var isUnderWay = true
    }

    private var machine = ConnectionMachine()
    private var waiting: [(kind: Kind, ending: MessageEnding)] = []
    /// Those without a final reply.
    private var handles: [Handle] = []
    private var isCongested = false
    private var lastNumber = 0
    /// The end of what was written last, while a NUL may follow it.
    private var lastEnding: MessageEnding?
    /// What the client waits for at the end of the replies to the call under way.
    private var expectedEnding = MessageEnding.nul
    private var hasEnded = false
    private(set) var broken: String?

    // MARK: What can happen

    var events: [Event] {
        var events: [Event] = []
        if !hasEnded, waiting.count < 2 {
            events += [Kind.plain, .more, .oneway, .faulty, .atOnce].map { .calls($0, ending: .newline) }
            events.append(.calls(.plain, ending: .nul))
        }
        if !handles.isEmpty {
            events += [.reply(isOldest: true, continues: false), .reply(isOldest: false, continues: true), .abandon]
            if handles.count > 1 { events.append(.reply(isOldest: false, continues: false)) }
        }
        if machine.isPaused { events.append(.pauseOver) }
        if !hasEnded, machine.phase == .serving { events.append(.lateNUL) }
        if machine.phase == .serving || machine.phase == .draining { events.append(.reads(isCongested)) }
        if !hasEnded { events += [.inputEnds, .clientLeaves] }
        if machine.phase != .closed { events.append(.closes) }
        return events
    }

    mutating func happen(_ event: Event) {
        switch event {
        case .calls(let kind, let ending):
            if machine.phase == .serving {
                waiting.append((kind, ending))
                pump()
            }
        case .reply(let isOldest, let continues):
            let handle = isOldest ? handles[0] : handles[handles.count - 1]
            if !continues { handles.removeAll { $0.number == handle.number } }
            reply(to: handle, continues: continues)
        case .abandon: abandon(handles.removeFirst())
        case .pauseOver:
            machine.pauseEnded()
            if machine.isPaused { break_("a pause does not end") }
            pump(isPatienceOver: true)
        case .lateNUL:
            // Between messages only.
            guard waiting.isEmpty else { break }
            if machine.hasCallUnderWay { expectedEnding = .nul }
            if machine.lateNULFound() { writeNUL() }
        case .reads(let does):
            isCongested = !does
            if does, machine.isPaused {
                machine.pauseEnded()
                pump()
            }
        case .inputEnds:
            hasEnded = true
            perform(machine.inputEnded())
        case .clientLeaves: clientLeaves()
        case .closes: close()
        }
        check()
    }

    // MARK: What a connection does

    private mutating func pump(isPatienceOver: Bool = false) {
        guard machine.turnBegins(calls: 2, isPatienceOver: isPatienceOver) else { return }
        turn: while true {
            switch machine.nextStep(hasRoom: !isCongested, now: 0) {
            case .stop: break turn
            case .pause:
                if !machine.pauseBegan() { break_("no pause where one is due") }
                break turn
            case .takeCall:
                guard !waiting.isEmpty else {
                    if machine.phase != .serving { end() }
                    break turn
                }
                take()
            }
        }
        machine.turnEnded()
    }

    private mutating func take() {
        let (kind, ending) = waiting.removeFirst()
        if machine.hasCallUnderWay { break_("two calls are under way") }
        machine.callTaken(hasMore: !waiting.isEmpty, now: 0)
        lastEnding = nil
        if kind == .faulty {
            if machine.callRefused(ending: ending) { write(ending) }
            return
        }
        guard let number = machine.callStarted(wantsMore: kind == .more, isOneway: kind == .oneway, ending: ending) else {
            if machine.phase != .departed || kind == .oneway { break_("a call is not carried out") }
            return
        }
        if number != lastNumber + 1 { break_("a number is missing") }
        (lastNumber, expectedEnding) = (number, ending)
        for index in handles.indices { handles[index].isUnderWay = false }
        if kind != .atOnce {
            machine.servicePassed(number)
            handles.append(Handle(number: number, kind: kind))
        } else {
            reply(to: Handle(number: number, kind: kind), continues: false)
        }
    }

    private mutating func reply(to handle: Handle, continues: Bool) {
        let wasOpen = machine.isOpen(handle.number)
        switch machine.replied(to: handle.number, continues: continues) {
        case .drop(let action):
            if wasOpen { break_("a reply is lost") }
            perform(action)
        case .write(let ending, let isMisplaced, let isFinal):
            if !wasOpen { break_("a reply to no call") }
            if (ending == nil) != (handle.kind == .oneway) { break_("a call without a reply gets one, or the other way round") }
            if isMisplaced != (continues && handle.kind != .more) { break_("a further reply to a call that wants one") }
            if isFinal != (!continues || isMisplaced) { break_("the wrong reply is the last") }
            if let ending {
                if ending != expectedEnding { break_("a reply does not end as its client expects") }
                write(ending)
            }
            guard isFinal else { return }
            if !machine.replyWritten(to: handle.number) { break_("a reply closed the connection") }
            if machine.isOpen(handle.number) { break_("a call has two final replies") }
            pump()
        }
    }

    private mutating func abandon(_ handle: Handle) {
        let wasOpen = machine.isOpen(handle.number)
        let action = machine.callAbandoned(handle.number)
        if wasOpen != (action == .end) { break_("a client waits for nothing") }
        perform(action)
    }

    private mutating func end() { perform(machine.ended()) }

    private mutating func perform(_ action: ConnectionMachine.Action) {
        switch action {
        case .ignore: break
        case .carryOn: pump()
        case .settlePlace: if machine.phase != .closed { break_("only a closed connection settles its place") }
        case .end: end()
        case .flush:
            waiting = []
            if machine.phase != .ending { break_("it does not end") }
            if machine.inputHasEnded != hasEnded { break_("it waits for a client that sends no more, or not for one that does") }
            if hasEnded { close() }
        case .close: close()
        }
    }

    private mutating func clientLeaves() {
        hasEnded = true
        guard machine.phase == .serving || machine.phase == .draining, !waiting.isEmpty else { return close() }
        machine.clientLeft()
        lastEnding = nil
        if !machine.hasUnfinishedWork, !machine.pauseBegan() { break_("it does not carry on") }
    }

    private mutating func close() {
        let before = machine.phase
        if machine.closed() != (before == .closed ? nil : before) { break_("another phase than it was in") }
        waiting = []
        hasEnded = true
    }

    // MARK: What has to hold

    private mutating func write(_ ending: MessageEnding) {
        if machine.phase == .departed || machine.phase == .closed { break_("something is written to nobody") }
        lastEnding = ending
    }

    private mutating func writeNUL() {
        if lastEnding != .newline { break_("a NUL follows no newline") }
        lastEnding = .nul
    }

    private mutating func check() {
        if machine.isInTurn { break_("a turn does not end") }
        switch machine.phase {
        case .serving, .draining, .departed:
            let mayGoOn = !machine.hasCallUnderWay && !machine.isPaused
            // The client has left while the service works for it.
            let isAwaited = machine.phase == .departed && machine.hasUnfinishedWork
            if mayGoOn, !waiting.isEmpty, !isAwaited { break_("a call waits for nothing") }
            if mayGoOn, machine.phase != .serving, !isAwaited { break_("it does not end") }
        case .ending, .closed: if machine.hasCallUnderWay || machine.isPaused { break_("it goes on after its end") }
        }
        let handed = handles.contains { $0.number == lastNumber || machine.hasUnfinishedWork }
        if machine.hasUnfinishedWork, !handed { break_("work that nobody does") }
        if machine.isBusy(hasWaitingCalls: !waiting.isEmpty) != isBusy { break_("its place is wrong") }
        let limits = VarlinkLimits()
        let holds = machine.holdsReading(calls: waiting.count, bytes: 0, limits: limits)
        if holds != (machine.phase == .serving && machine.isPaused) { break_("reading is held for nothing, or not held") }
    }

    private var isBusy: Bool {
        if machine.hasUnfinishedWork { return true }
        switch machine.phase {
        case .ending, .closed: return false
        case .serving, .draining, .departed: return machine.hasCallUnderWay || machine.isPaused || !waiting.isEmpty
        }
    }

    private mutating func break_(_ rule: String) { broken = broken ?? rule }

    /// All that what happens later depends on.
    var identity: String {
        let open = handles.map { "\($0.kind) \(lastNumber - $0.number) \(machine.isOpen($0.number))" }
        return "\(machine.phase) \(machine.isPaused) \(machine.hasCallUnderWay) \(machine.hasUnfinishedWork) \(machine.inputHasEnded) \(waiting) \(open)"
            + " \(isCongested) \(String(describing: lastEnding)) \(expectedEnding) \(hasEnded)"
    }
}

@Suite("A connection's machine")
struct ConnectionMachineTests {
    private typealias Event = LoneConnection.Event

    private func run(_ events: [Event]) -> LoneConnection {
        var connection = LoneConnection()
        for event in events { connection.happen(event) }
        return connection
    }

    @Test("no order of events breaks a rule")
    func everyOrder() {
        var known: Set<String> = []
        var next: [[Event]] = [[]]
        for _ in 0..<6 {
            let current = next
            next = []
            for history in current {
                for event in run(history).events {
                    let connection = run(history + [event])
                    if let rule = connection.broken {
                        Issue.record("\(rule): \(history + [event])")
                        return
                    }
                    if known.insert(connection.identity).inserted { next.append(history + [event]) }
                }
            }
        }
        #expect(known.count > 300)
    }

    @Test("a turn ends after so many calls, or so much time, or once the client has much to read")
    func turns() {
        var machine = ConnectionMachine()
        let begins = [machine.turnBegins(calls: 2, isPatienceOver: false), machine.turnBegins(calls: 2, isPatienceOver: false)]
        #expect(begins == [true, false])
        var steps = [machine.nextStep(hasRoom: true, now: 0), machine.nextStep(hasRoom: false, now: 0)]
        #expect(steps == [.takeCall, .pause])
        machine.callTaken(hasMore: true, now: 5)
        let end = 5 + ConnectionMachine.longestTurn
        steps = [machine.nextStep(hasRoom: true, now: end), machine.nextStep(hasRoom: true, now: end + 1)]
        #expect(steps == [.takeCall, .pause])
        machine.callTaken(hasMore: true, now: 6)
        steps = [machine.nextStep(hasRoom: true, now: 6)]
        machine.turnEnded()
        steps.append(machine.nextStep(hasRoom: true, now: 0))
        #expect(steps == [.pause, .stop])
        _ = machine.turnBegins(calls: 1, isPatienceOver: true)
        steps = [machine.nextStep(hasRoom: false, now: 0)]
        #expect(steps == [.takeCall])
    }

    @Test("calls that arrive alone are not timed")
    func lone() {
        var machine = ConnectionMachine()
        _ = machine.turnBegins(calls: 9, isPatienceOver: false)
        machine.callTaken(hasMore: false, now: 0)
        let step = machine.nextStep(hasRoom: true, now: .max)
        #expect(step == .takeCall)
    }

    @Test("input is held while it is paused, as many calls wait as may, or two messages have not been processed")
    func holding() {
        var limits = VarlinkLimits()
        limits.unansweredCalls = 2
        let most = 2 * limits.messageBytes
        var machine = ConnectionMachine()
        var holds = [(1, most), (0, most + 1), (2, 0)].map { machine.holdsReading(calls: $0, bytes: $1, limits: limits) }
        #expect(holds == [false, true, true])
        _ = machine.callStarted(wantsMore: false, isOneway: false, ending: .nul)
        holds = [0, 1].map { machine.holdsReading(calls: $0, bytes: 0, limits: limits) }
        #expect(holds == [false, true])
        _ = machine.inputEnded()
        holds = [machine.holdsReading(calls: 9, bytes: .max, limits: limits)]
        #expect(holds == [false])
    }
}
