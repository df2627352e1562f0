import Glibc
import PosternClient
import StrictJSON

/// A sign-in at the terminal, from the call to its last event.
final class SignInRun {
    struct Outcome {
        /// The last reply, unchanged.
        var reply: JSONObject
        var event: SignInEvent
    }

    private enum Message: Sendable {
        case reply(JSONObject)
        case ended((any Error)?)
        /// The result of a pasted address.
        case delivered(PosternError?)
        /// The result of a switch to another way.
        case changed(FlowSwitch.Change)
    }

    /// Milliseconds until a user who sees no page is shown the address.
    private static let patience: Int64 = 3000
    /// Milliseconds for the daemon to process a cancellation.
    private static let farewell: Int64 = 1000

    /// Milliseconds that a daemon may be absent, and between two attempts to find it.
    private static let absence: Int64 = 15_000
    private static let knock: Int32 = 200

    private let socketPath: String
    /// Nil while the daemon is absent.
    private var connection: PosternConnection?
    private let request: any MethodParameters
    private let takesPastes: Bool
    /// Nil if there is only one way.
    private let flowSwitch: FlowSwitch?
    /// How often this command has joined its own sign-in to switch the way.
    private var ownJoins = 0
    private var changesUnderWay = 0
    private let interrupts: Interrupts
    /// Called with every event; the demo controls its browser with it.
    private let onEvent: (SignInEvent) -> Void

    private let mailbox: Mailbox<Message>
    private var narration: SignInNarration
    private var statusLine: StatusLine
    private var showsStatus: Bool
    private var last: Outcome?

    init(
        socketPath: String, request: any MethodParameters, flowSwitch: FlowSwitch? = nil, narration: SignInNarration, terminal: Terminal,
        interrupts: Interrupts,
        onEvent: @escaping (SignInEvent) -> Void = { _ in }
    ) throws {
        self.socketPath = socketPath
        self.request = request
        self.flowSwitch = flowSwitch
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
        try startReading(request)

        let begin = MonotonicClock.milliseconds
        // With a browser here nothing is asked, but a user at a terminal may want another way.
        let hasKeyboard = isatty(STDIN_FILENO) == 1 && PasteInput().mayBring
        var input = takesPastes || hasKeyboard ? PasteInput() : nil
        narration.offers.hasKeyboard = hasKeyboard
        narration.offers.takesKeys = hasKeyboard && flowSwitch != nil
        while true {
            if showsStatus, let text = narration.status(now: EpochTime(seconds: CalendarTime.now)) { statusLine.draw(text) }
            // Read once: where it ended between the question and the wait, nothing would wake us.
            let patience = Self.patience - (MonotonicClock.milliseconds - begin)
            if patience <= 0 { say(narration.waitedAWhile()) }
            let ready = wait(for: input?.descriptor, patience)
            if ready.interrupt, interrupts.take() {
                connection?.close()
                awaitChanges()
                endIfAlone(&joins)
                throw PosternError.cancelled
            }
            if ready.input, let lines = input?.read() {
                // A longer line has wrapped, and stays.
                if lines.count == 1, lines[0].utf8.count <= 1 { statusLine.entered() }
                for line in lines { take(line, isKey: hasKeyboard) }
            }
            if ready.mailbox, let outcome = try handle(mailbox.takeAll()) { return outcome }
        }
    }

    private func startReading(_ request: any MethodParameters) throws {
        guard let connection else { return }
        let (method, parameters) = (type(of: request).method.name, request.object)
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

    /// - Parameter left: of the patience, in milliseconds.
    private func wait(for input: Int32?, _ left: Int64) -> (interrupt: Bool, mailbox: Bool, input: Bool) {
        // poll ignores a negative descriptor.
        var descriptors = [interrupts.descriptor, mailbox.descriptor, input ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
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
                    let provider = flowSwitch?.provider(of: event.sessionID)
                    narration.offers.flows = provider?.flows ?? []
                    if let provider { narration.providerName = provider.displayName.plain }
                }
                let lines = narration.lines(for: event)
                // After the page no further action is needed.
                if event.state == .authorizationPending || !StandardError.isQuiet { say(lines) }
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
                // The page or the events report the rest.
                guard let error else { continue }
                say([
                    "that address was rejected: \(error.description.plain)",
                    "Paste the whole address of the page at which the browser ended.",
                ])
            }
        }
        return nil
    }

    /// The sign-in that outlives an interrupted daemon; nil for any other error.
    private func interrupted(by error: any Error) -> String? {
        guard let last, last.event.state != .completed else { return nil }
        switch error {
        case PosternError.connectionLost, PosternError.daemonUnreachable: return last.event.sessionID
        default: return nil
        }
    }

    /// Waits for the daemon's successor, and continues its sign-in there.
    ///
    /// - Returns: false if none has started.
    private func takeUp(_ sessionID: String) throws -> Bool {
        connection?.close()
        connection = nil
        say(["the daemon stopped; the sign-in goes on once it is back …"])
        let end = MonotonicClock.milliseconds + Self.absence
        while MonotonicClock.milliseconds < end {
            if let next = try? PosternConnection(socketPath: socketPath) {
                // A socket of systemd's accepts connections before a daemon answers them.
                if (try? next.call(Interface.GetStatus(), timeoutMilliseconds: Self.farewell)) != nil {
                    connection = next
                    say(["the daemon is back; the sign-in goes on"])
                    try startReading(Interface.AttachSession(sessionID: sessionID))
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
        switch isKey ? FlowKey(line: line) : nil {
        case .help?: say(narration.keys)
        case .device?: flowSwitch == nil ? say(narration.keys) : change(to: .device)
        case .address?:
            if let lines = narration.address() { return say(lines) }
            flowSwitch == nil ? say(narration.keys) : change(to: .browser)
        // With a browser here, a stray line is not taken for an address.
        case nil: if takesPastes || line.holds("://") { deliver(line) }
        }
    }

    /// Runs on its own thread: the wait continues meanwhile, and its events report the result.
    private func change(to flow: Provider.Flow) {
        guard let flowSwitch, let sessionID = last?.event.sessionID else { return }
        let mailbox = mailbox
        let isStarted = DedicatedThread.start { mailbox.put(.changed(flowSwitch.change(to: flow, of: sessionID))) }
        if isStarted { changesUnderWay += 1 } else { say(["no thread could be started; try it again"]) }
    }

    private func note(_ change: FlowSwitch.Change) {
        changesUnderWay -= 1
        // A refused attempt may or may not have joined; it is not counted, so that no other program is mistaken for this command.
        if case .made = change { ownJoins += 1 }
    }

    /// To know who else has joined the sign-in, changes under way must be complete.
    private func awaitChanges() {
        let deadline = Deadline(milliseconds: Self.farewell)
        while changesUnderWay > 0, deadline.wait(for: Int(POLLIN), on: [mailbox.descriptor])[0] {
            for message in mailbox.takeAll() {
                if case .changed(let change) = message { note(change) }
            }
        }
    }

    /// Submits the pasted address on its own thread and connection, so that the wait continues meanwhile.
    private func deliver(_ line: String) {
        let mailbox = mailbox
        let path = socketPath
        let isStarted = DedicatedThread.start {
            do throws(PosternError) {
                _ = try PosternConnection.call(Interface.DeliverRedirect(url: Secret(line)), at: path)
                mailbox.put(.delivered(nil))
            } catch {
                mailbox.put(.delivered(error))
            }
        }
        if !isStarted { say(["that address could not be delivered; paste it again"]) }
    }

    /// This command's share is given up with its connection. If nobody else waits for the sign-in, its page is of no use, and the sign-in
    /// is ended; ``JoinWatch`` says how certain that is. Before its first event a sign-in has no ID to cancel it by; it ends at its time
    /// limit.
    private func endIfAlone(_ joins: inout JoinWatch) {
        guard let sessionID = last?.event.sessionID, let connection = try? PosternConnection(socketPath: socketPath) else { return }
        defer { connection.close() }
        guard joins.isAlone(in: sessionID, ownJoins: ownJoins, asking: connection) else { return }
        // It may have ended by itself just now; either way it is over.
        _ = try? connection.call(Interface.CancelSession(sessionID: sessionID), timeoutMilliseconds: Self.farewell)
    }

    private func say(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        statusLine.clear()
        for line in lines { StandardError.tell(line) }
    }
}
