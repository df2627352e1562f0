import Varlink

/// Which calls of a connection are carried out, and how it ends. It decides and does nothing: ``ConnectionHandler`` reads, writes and waits.
///
/// Calls are carried out in order, each after the final reply to the previous one, in turns: a turn ends when a call has no reply yet, when
/// none is left, or when others should have theirs.
struct ConnectionMachine: ~Copyable {
    enum Phase: Equatable {
        /// Calls are read and answered.
        case serving
        /// The client has sent its last byte; its calls are still answered.
        case draining
        /// No more calls are carried out. Output is flushed, and input is dropped.
        case ending
        /// The client has disconnected, and the socket is closed. Its calls without a reply are still carried out.
        case departed
        case closed
    }

    private enum State: ~Copyable {
        /// Next: `draining`, `ending`, `departed`, `closed`.
        case serving(Work)
        /// Next: `ending`, `departed`, `closed`.
        case draining(Work)
        /// Next: `closed`.
        case ending(inputHasEnded: Bool)
        /// Next: `closed`.
        case departed(Work)
        case closed
    }

    private struct Work {
        enum Stage {
            /// The next call may begin.
            case free(Debt)
            case underWay(Call)
            /// Others have their turn, or the client has time to read.
            case paused(Debt)
        }

        var stage = Stage.free(.none)
        var turn: Turn?
    }

    /// What may still have to follow the last reply.
    private enum Debt {
        case none
        /// It ended in a newline, and the client may wait for a NUL.
        case nul
    }

    private struct Call {
        var number: Int
        var wantsMore: Bool
        var isOneway: Bool
        var ending: MessageEnding
    }

    private struct Turn {
        var callsLeft: Int
        /// Of the loop's clock, in nanoseconds. Most calls arrive alone, and are not timed.
        var deadline: UInt64?
        /// The pause for a client that does not read is over.
        var isPatienceOver: Bool
    }

    private struct Numbers {
        var last = 0
        /// The call for which the service still has a handle without a final reply, also after the client has disconnected.
        var unfinished: Int?
    }

    enum Action: Equatable {
        case ignore
        /// The next call may begin.
        case carryOn
        /// The connection's place may be free now.
        case settlePlace
        /// No more calls are carried out: ``ended()`` follows.
        case end
        /// To flush the output, and to close once the client has seen it.
        case flush
        case close
    }

    /// After this many nanoseconds it is the turn of the others: a call may take long.
    static let longestTurn: UInt64 = 1_000_000

    private var state: State
    private var numbers: Numbers

    init() { self.init(.serving(Work()), Numbers()) }

    private init(_ state: consuming State, _ numbers: Numbers) {
        self.state = state
        self.numbers = numbers
    }

    /// - Returns: nil if no more calls are carried out.
    private mutating func change<Result>(_ body: (inout Work) -> Result) -> Result? {
        let numbers = numbers
        switch consume state {
        case .serving(var work):
            let result = body(&work)
            self = Self(.serving(work), numbers)
            return result
        case .draining(var work):
            let result = body(&work)
            self = Self(.draining(work), numbers)
            return result
        case .departed(var work):
            let result = body(&work)
            self = Self(.departed(work), numbers)
            return result
        case .ending(let inputHasEnded): self = Self(.ending(inputHasEnded: inputHasEnded), numbers)
        case .closed: self = Self(.closed, numbers)
        }
        return nil
    }

    // MARK: - What it is in

    var phase: Phase {
        switch state {
        case .serving: .serving
        case .draining: .draining
        case .ending: .ending
        case .departed: .departed
        case .closed: .closed
        }
    }

    private var work: Work? {
        switch state {
        case .serving(let work): work
        case .draining(let work): work
        case .departed(let work): work
        case .ending: nil
        case .closed: nil
        }
    }

    var isInTurn: Bool { work?.turn != nil }

    var isPaused: Bool { if case .paused? = work?.stage { true } else { false } }

    var hasCallUnderWay: Bool { if case .underWay? = work?.stage { true } else { false } }

    var hasUnfinishedWork: Bool { numbers.unfinished != nil }

    func isOpen(_ number: Int) -> Bool { if case .underWay(let call)? = work?.stage { call.number == number } else { false } }

    /// The client sends nothing more.
    var inputHasEnded: Bool {
        switch state {
        case .serving: false
        case .draining: true
        case .ending(let inputHasEnded): inputHasEnded
        case .departed: true
        case .closed: true
        }
    }

    /// Calls are under way or wait for their turn. An incomplete message does not count, nor does a client that is being sent the reason why
    /// its connection ends.
    func isBusy(hasWaitingCalls: Bool) -> Bool {
        guard numbers.unfinished == nil else { return true }
        switch work?.stage {
        case nil: return false
        case .free: return hasWaitingCalls
        case .underWay, .paused: return true
        }
    }

    /// Back-pressure: while enough waits here, new bytes stay in the socket, and finally in the client.
    ///
    /// - Parameters:
    ///   - calls: how many wait for their turn.
    ///   - bytes: how many of the input are kept.
    func holdsReading(calls: Int, bytes: Int, limits: VarlinkLimits) -> Bool {
        guard let work, phase == .serving else { return false }
        // Room for one incomplete message, and for one that waits.
        if bytes > 2 * limits.messageBytes { return true }
        switch work.stage {
        case .free: return calls >= limits.unansweredCalls
        case .underWay: return calls + 1 >= limits.unansweredCalls
        case .paused: return true
        }
    }

    // MARK: - Turns

    enum Step: Equatable {
        case takeCall
        case pause
        case stop
    }

    /// - Returns: false within a turn, which carries out the new calls as well.
    mutating func turnBegins(calls: Int, isPatienceOver: Bool) -> Bool {
        change { (work: inout Work) -> Bool in
            guard work.turn == nil else { return false }
            work.turn = Turn(callsLeft: calls, isPatienceOver: isPatienceOver)
            return true
        } ?? false
    }

    /// - Parameters:
    ///   - hasRoom: the client keeps up with reading its replies.
    ///   - now: of the loop's clock.
    func nextStep(hasRoom: Bool, now: @autoclosure () -> UInt64) -> Step {
        guard let work, let turn = work.turn, case .free = work.stage else { return .stop }
        guard turn.callsLeft > 0, hasRoom || turn.isPatienceOver else { return .pause }
        guard let deadline = turn.deadline, now() > deadline else { return .takeCall }
        return .pause
    }

    /// - Parameter hasMore: it did not arrive alone.
    mutating func callTaken(hasMore: Bool, now: @autoclosure () -> UInt64) {
        _ = change { work in
            work.stage = .free(.none)
            work.turn?.callsLeft -= 1
            if hasMore, work.turn?.deadline == nil { work.turn?.deadline = now() + Self.longestTurn }
        }
    }

    mutating func turnEnded() { _ = change { $0.turn = nil } }

    // MARK: - Calls

    /// A call that was taken is valid.
    ///
    /// - Returns: its number; nil if it is not carried out: nobody is there to receive its reply.
    mutating func callStarted(wantsMore: Bool, isOneway: Bool, ending: MessageEnding) -> Int? {
        if phase == .departed, !isOneway { return nil }
        let number = numbers.last + 1
        let isStarted: Void? = change {
            $0.stage = .underWay(Call(number: number, wantsMore: wantsMore, isOneway: isOneway, ending: ending))
        }
        guard isStarted != nil else { return nil }
        numbers.last = number
        return number
    }

    /// The service gets a handle for it.
    mutating func servicePassed(_ number: Int) { numbers.unfinished = number }

    /// A call that was taken cannot be read.
    ///
    /// - Returns: whether the client is told.
    mutating func callRefused(ending: MessageEnding) -> Bool {
        guard phase != .departed else { return false }
        return change { $0.stage = .free(Self.debt(after: ending)) } != nil
    }

    private static func debt(after ending: MessageEnding) -> Debt { ending == .newline ? .nul : .none }

    enum ReplyAction: Equatable {
        /// To be written, unless the call wants no reply. `isFinal`: then ``replyWritten(to:)`` follows.
        case write(MessageEnding?, isMisplaced: Bool, isFinal: Bool)
        /// It comes too late.
        case drop(Action)
    }

    mutating func replied(to number: Int, continues: Bool) -> ReplyAction {
        let isLate = !continues && workEnded(number)
        guard let work else { return .drop(isLate && phase == .closed ? .settlePlace : .ignore) }
        guard case .underWay(let call) = work.stage else { return .drop(isLate && phase == .departed ? .carryOn : .ignore) }
        guard call.number == number else { return .drop(.ignore) }
        let isMisplaced = continues && !call.wantsMore
        return .write(call.isOneway ? nil : call.ending, isMisplaced: isMisplaced, isFinal: !continues || isMisplaced)
    }

    /// - Returns: false if the connection was closed by writing it.
    mutating func replyWritten(to number: Int) -> Bool {
        change { (work: inout Work) -> Bool in
            guard case .underWay(let call) = work.stage, call.number == number else { return false }
            work.stage = .free(call.isOneway ? .none : Self.debt(after: call.ending))
            return true
        } ?? false
    }

    /// The service has released a call without a final reply. That is a fault of ours; the client sees it at once.
    mutating func callAbandoned(_ number: Int) -> Action {
        guard case .drop(let action) = replied(to: number, continues: false) else {
            _ = change { $0.stage = .free(.none) }
            return .end
        }
        return action
    }

    /// - Returns: whether it was the one that the service still had.
    private mutating func workEnded(_ number: Int) -> Bool {
        guard numbers.unfinished == number else { return false }
        numbers.unfinished = nil
        return true
    }

    /// The client ends its messages with NUL after all, as the last one shows.
    ///
    /// - Returns: whether a NUL has to follow the last reply.
    mutating func lateNULFound() -> Bool {
        change { (work: inout Work) -> Bool in
            switch work.stage {
            case .underWay(var call):
                call.ending = .nul
                work.stage = .underWay(call)
                return false
            case .free(let debt):
                work.stage = .free(.none)
                return debt == .nul
            case .paused(let debt):
                work.stage = .paused(.none)
                return debt == .nul
            }
        } ?? false
    }

    // MARK: - Pauses

    /// - Returns: false if a call is under way, or none will be.
    mutating func pauseBegan() -> Bool {
        change { (work: inout Work) -> Bool in
            guard case .free(let debt) = work.stage else { return false }
            work.stage = .paused(debt)
            return true
        } ?? false
    }

    mutating func pauseEnded() {
        _ = change { work in if case .paused(let debt) = work.stage { work.stage = .free(debt) } }
    }

    // MARK: - The end

    /// The client has sent its last byte.
    mutating func inputEnded() -> Action {
        let numbers = numbers
        switch consume state {
        case .serving(let work):
            self = Self(.draining(work), numbers)
            return .carryOn
        case .draining(let work): self = Self(.draining(work), numbers)
        case .ending:
            self = Self(.ending(inputHasEnded: true), numbers)
            return .close
        case .departed(let work): self = Self(.departed(work), numbers)
        case .closed: self = Self(.closed, numbers)
        }
        return .ignore
    }

    /// The client has disconnected, and calls are left that it wants no reply to. The one under way is cancelled.
    mutating func clientLeft() {
        let numbers = numbers
        switch consume state {
        case .serving: self = Self(.departed(Work()), numbers)
        case .draining: self = Self(.departed(Work()), numbers)
        case .ending(let inputHasEnded): self = Self(.ending(inputHasEnded: inputHasEnded), numbers)
        case .departed(let work): self = Self(.departed(work), numbers)
        case .closed: self = Self(.closed, numbers)
        }
    }

    /// No more calls are to be carried out.
    mutating func ended() -> Action {
        let numbers = numbers
        switch consume state {
        case .serving:
            self = Self(.ending(inputHasEnded: false), numbers)
            return .flush
        case .draining:
            self = Self(.ending(inputHasEnded: true), numbers)
            return .flush
        case .ending(let inputHasEnded): self = Self(.ending(inputHasEnded: inputHasEnded), numbers)
        case .departed(let work):
            self = Self(.departed(work), numbers)
            return .close
        case .closed: self = Self(.closed, numbers)
        }
        return .ignore
    }

    /// - Returns: the phase before; nil if it was closed already.
    mutating func closed() -> Phase? {
        let before = phase
        guard before != .closed else { return nil }
        self = Self(.closed, numbers)
        return before
    }
}
