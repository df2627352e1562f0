import Glibc
import PosternClient
import StrictJSON

/// A sign-in as the user at the terminal lives through it: from the call to its last event.
final class SignInRun {
    enum Question {
        case start(Interface.SignIn)
        case attach(sessionID: String)
    }

    struct Outcome {
        /// The last reply as it came.
        var reply: JSONObject
        var event: SignInEvent
    }

    private enum Message: Sendable {
        case reply(JSONObject)
        case ended((any Error)?)
        /// What became of a pasted address.
        case delivered(PosternError?)
        /// What became of another way to the provider.
        case changed(Ladder.Change)
    }

    /// Milliseconds until a user who sees no page is told the address.
    private static let patience: Int64 = 3000
    /// Milliseconds that the daemon has to take note of a cancellation.
    private static let farewell: Int64 = 1000

    /// Milliseconds that a daemon may be away, and between two looks for it.
    private static let absence: Int64 = 15_000
    private static let knock: Int32 = 200

    private let socketPath: String
    /// Nil while the daemon is away.
    private var connection: PosternConnection?
    private let question: Question
    private let takesPastes: Bool
    /// Nil if there is but one way.
    private let ladder: Ladder?
    /// How often this command joined its own sign-in to change the way.
    private var ownJoins = 0
    private var changesUnderWay = 0
    private let interrupts: Interrupts
    /// Sees every event; the demo drives its browser from here.
    private let onEvent: (SignInEvent) -> Void

    private let mailbox: Mailbox<Message>
    private var narration: SignInNarration
    private var statusLine: StatusLine
    private var showsStatus: Bool
    private var last: Outcome?

    init(
        socketPath: String, question: Question, ladder: Ladder? = nil, narration: SignInNarration, terminal: Terminal,
        interrupts: Interrupts,
        onEvent: @escaping (SignInEvent) -> Void = { _ in }
    ) throws {
        self.socketPath = socketPath
        self.question = question
        self.ladder = ladder
        self.narration = narration
        self.interrupts = interrupts
        self.onEvent = onEvent
        takesPastes = narration.presentation != .browserHere
        // A moving line and a line that is being typed would overwrite each other.
        showsStatus = terminal.isInteractive && !takesPastes && !StandardError.isQuiet
        statusLine = StatusLine(terminal: terminal)
        mailbox = try Mailbox()
    }

    func run() throws -> Outcome {
        var joins = try JoinWatch(socketPath: socketPath)
        connection = try PosternConnection(socketPath: socketPath)
        defer {
            statusLine.clear()
            joins.stop()
            connection?.close()
        }
        try startReading(question)

        let begin = MonotonicClock.milliseconds
        // With a browser here nothing is asked for, but who sits at a terminal may want another way.
        let hasKeyboard = isatty(STDIN_FILENO) == 1 && PasteInput().mayBring
        var input = takesPastes || hasKeyboard ? PasteInput() : nil
        narration.offers.hasKeyboard = hasKeyboard
        narration.offers.takesKeys = hasKeyboard && ladder != nil
        while true {
            if showsStatus, let text = narration.status(now: EpochTime(seconds: CalendarTime.now)) { statusLine.draw(text) }
            if MonotonicClock.milliseconds - begin >= Self.patience { say(narration.waitedAWhile()) }
            let ready = wait(for: input?.descriptor, since: begin)
            if ready.interrupt, interrupts.take() {
                connection?.close()
                awaitChanges()
                endIfAlone(&joins)
                throw PosternError.cancelled
            }
            if ready.input, let lines = input?.read() {
                // A longer one has wrapped, and stays.
                if lines.count == 1, lines[0].utf8.count <= 1 { statusLine.entered() }
                for line in lines { take(line, isKey: hasKeyboard) }
            }
            if ready.mailbox, let outcome = try handle(mailbox.takeAll()) { return outcome }
        }
    }

    private func startReading(_ question: Question) throws {
        guard let connection else { return }
        let (method, parameters) =
            switch question {
            case .start(let parameters): (Interface.SignIn.method.name, parameters.object)
            case .attach(let sessionID): (Interface.AttachSession.method.name, Interface.AttachSession(sessionID: sessionID).object)
            }
        let mailbox = mailbox
        let isStarted = DedicatedThread.start {
            do {
                try connection.callMore(method, parameters, beginsAtOnce: true) { mailbox.put(.reply($0)) }
                mailbox.put(.ended(nil))
            } catch {
                mailbox.put(.ended(error))
            }
        }
        guard isStarted else { throw CommandFailure("no thread could be started") }
    }

    private func wait(for input: Int32?, since begin: Int64) -> (interrupt: Bool, mailbox: Bool, input: Bool) {
        // A negative descriptor is passed over by poll.
        var descriptors = [interrupts.descriptor, mailbox.descriptor, input ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let left = Self.patience - (MonotonicClock.milliseconds - begin)
        let patience: Int32 = left > 0 ? Int32(truncatingIfNeeded: left) : -1
        let timeout = showsStatus ? (left > 0 ? min(patience, StatusLine.interval) : StatusLine.interval) : patience
        guard poll(&descriptors, nfds_t(descriptors.count), timeout) > 0 else { return (false, false, false) }
        return (descriptors[0].revents != 0, descriptors[1].revents != 0, descriptors[2].revents != 0)
    }

    private func handle(_ messages: [Message]) throws -> Outcome? {
        for message in messages {
            switch message {
            case .reply(let reply):
                let event = try PosternConnection.read(Interface.SignIn.Reply.self, from: reply).event
                last = Outcome(reply: reply, event: event)
                if narration.state == nil, event.state == .authorizationPending {
                    narration.offers.flows = ladder?.flows(of: event.sessionID) ?? []
                }
                say(narration.lines(for: event))
                onEvent(event)
            case .ended(let error):
                if let error, let sessionID = interrupted(by: error) {
                    if try takeUp(sessionID) { continue }
                    throw CommandFailure(
                        "the daemon stopped before it answered; the sign-in goes on once it is back",
                        advice: "postern attach \(sessionID.plain)")
                }
                if let error { throw error }
                guard let last, last.event.state == .completed else {
                    throw PosternError.malformedReply(reason: "the last event of a sign-in is not its completion")
                }
                return last
            case .changed(let change):
                if case .refused(let error) = change { say(["that is not available: \(error.description.plain)"]) }
                note(change)
            case .delivered(let error):
                // The page, or the events, tell the rest.
                guard let error else { continue }
                say([
                    "that address was rejected: \(error.description.plain)",
                    "Paste the whole address of the page at which the browser ended.",
                ])
            }
        }
        return nil
    }

    /// The sign-in that outlives a daemon that went away; nil for any other end.
    private func interrupted(by error: any Error) -> String? {
        guard let last, last.event.state != .completed else { return nil }
        switch error {
        case PosternError.connectionLost, PosternError.daemonUnreachable: return last.event.sessionID
        default: return nil
        }
    }

    /// Waits for the daemon that takes the place of the one that went, and goes on with its sign-in there.
    ///
    /// - Returns: false if none came.
    private func takeUp(_ sessionID: String) throws -> Bool {
        connection?.close()
        connection = nil
        say(["the daemon stopped; the sign-in goes on once it is back …"])
        let end = MonotonicClock.milliseconds + Self.absence
        while MonotonicClock.milliseconds < end {
            if let next = try? PosternConnection(socketPath: socketPath) {
                // A socket of systemd's takes connections before anybody answers them.
                if (try? next.call(Interface.GetStatus(), timeoutMilliseconds: Self.farewell)) != nil {
                    connection = next
                    say(["the daemon is back; the sign-in goes on"])
                    try startReading(.attach(sessionID: sessionID))
                    return true
                }
                next.close()
            }
            var interrupt = pollfd(fd: interrupts.descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&interrupt, 1, Self.knock) > 0, interrupts.take() { throw PosternError.cancelled }
        }
        return false
    }

    private func take(_ line: String, isKey: Bool) {
        switch isKey ? LadderKey(line: line) : nil {
        case .help?: say(narration.keys)
        case .device?: ladder == nil ? say(narration.keys) : change(to: .device)
        case .address?:
            if let lines = narration.address() { return say(lines) }
            ladder == nil ? say(narration.keys) : change(to: .browser)
        // With a browser here a stray line is not an address.
        case nil: if takesPastes || line.contains("://") { deliver(line) }
        }
    }

    /// On its own thread: the wait goes on meanwhile, and its events tell what came of it.
    private func change(to flow: Provider.Flow) {
        guard let ladder, let sessionID = last?.event.sessionID else { return }
        let mailbox = mailbox
        let isStarted = DedicatedThread.start { mailbox.put(.changed(ladder.change(to: flow, of: sessionID))) }
        if isStarted { changesUnderWay += 1 } else { say(["no thread could be started; try it again"]) }
    }

    private func note(_ change: Ladder.Change) {
        changesUnderWay -= 1
        // One that was refused may have joined or not; it is not counted, so that nobody else is taken for this command.
        if case .made = change { ownJoins += 1 }
    }

    /// Whether a change that is under way has joined the sign-in must be known to tell who else has.
    private func awaitChanges() {
        let deadline = Deadline(milliseconds: Self.farewell)
        while changesUnderWay > 0, deadline.wait(for: Int(POLLIN), on: [mailbox.descriptor])[0] {
            for message in mailbox.takeAll() {
                if case .changed(let change) = message { note(change) }
            }
        }
    }

    /// Hands over what was pasted. On its own thread and connection, so that the wait goes on meanwhile.
    private func deliver(_ line: String) {
        let mailbox = mailbox
        let path = socketPath
        let isStarted = DedicatedThread.start {
            do throws(PosternError) {
                let connection = try PosternConnection(socketPath: path)
                defer { connection.close() }
                _ = try connection.call(Interface.DeliverRedirect(url: Secret(line)))
                mailbox.put(.delivered(nil))
            } catch {
                mailbox.put(.delivered(error))
            }
        }
        if !isStarted { say(["that address could not be delivered; paste it again"]) }
    }

    /// This command's share is given up with its connection. If nobody else waits for the sign-in, its page is of no use to
    /// anybody, and it is ended; ``JoinWatch`` says how sure that is. Before its first event a sign-in has no name to cancel it by;
    /// it ends when its time is over.
    private func endIfAlone(_ joins: inout JoinWatch) {
        guard let sessionID = last?.event.sessionID, let connection = try? PosternConnection(socketPath: socketPath) else { return }
        defer { connection.close() }
        guard joins.isAlone(in: sessionID, ownJoins: ownJoins, asking: connection) else { return }
        // It may have ended by itself at this moment; either way it is over.
        _ = try? connection.call(Interface.CancelSession(sessionID: sessionID), timeoutMilliseconds: Self.farewell)
    }

    private func say(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        statusLine.clear()
        for line in lines { StandardError.tell(line) }
    }
}
