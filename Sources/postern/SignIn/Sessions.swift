import ArgumentParser
import PosternClient

struct Sessions: DaemonCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "List the sign-ins in progress, and those that ended recently.",
        discussion: """
            EXAMPLES
              postern sessions
              postern sessions --json | jq -r '.sessions[].sessionID'
            """)

    @OptionGroup var common: CommonOptions

    func perform() throws {
        guard let reply = try call(Interface.ListSessions()) else { return }
        guard !reply.sessions.isEmpty else { return StandardError.note("no sign-in is in progress") }
        let times = terminal.times
        var table = Table()
        table.add("SESSION", "PROVIDER", "APP", "STATE", "EXPIRES")
        for session in reply.sessions {
            table.add(session.sessionID, session.providerID, session.app, SessionText.state(of: session), times.near(session.expiresAt))
        }
        try StandardOutput.write(lines: table.listing(within: Terminal.columns, cutsLast: false))
    }
}

enum SessionText {
    static let empty = CommandFailure.empty("the session ID", advice: "postern sessions lists the sign-ins in progress")

    /// The state of a sign-in, and how a failed one ended.
    static func state(of session: Session) -> String {
        let ended = end(of: session)
        return session.unfetched == true ? "\(ended), not fetched" : ended
    }

    private static func end(of session: Session) -> String {
        switch session.failure {
        case nil: session.state.rawValue
        case .denied: "declined"
        case .timedOut: "timed out"
        case .cancelled: "cancelled"
        case .refused: "refused"
        case .other: "failed"
        }
    }
}

struct Attach: DaemonCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Join a sign-in in progress and wait for its end, or fetch a result that nobody has received.",
        discussion: """
            A result can be fetched until it has been delivered once or has expired; postern sessions says which have not been fetched.

            With --open the page opens again, with a new state: after it was closed, or in another browser or profile.

            EXAMPLES
              postern sessions
              postern attach SESSION
              postern attach SESSION --open
              postern attach SESSION --browser firefox -P work
            """)

    @Argument(help: "The sign-in, as postern sessions names it.", completion: .attachableSessions)
    var session: String

    @Flag(help: "Open its page again.")
    var open = false

    @Option(
        parsing: .remaining,
        help: ArgumentHelp("Open its page again with this command: all that follows, and the address.", valueName: "command"))
    var browser: [String] = []

    @OptionGroup var common: CommonOptions

    mutating func take(from line: inout PlainLine) {
        open = line.flag("--open")
        // The words after --browser are another program's command line.
        browser = []
        common = Options(plain: &line)
        session = line.argument()
    }

    func perform() throws {
        guard !session.isEmpty else { throw SessionText.empty }
        let launch = open || !browser.isEmpty ? BrowserLaunch(browser.isEmpty ? ["xdg-open"] : browser, environment: environment) : nil
        let place = Place(environment: environment)
        let name = try ProviderName.look(upSession: session, socketPath: common.socketPath)
        let run = try SignInRun(
            socketPath: common.socketPath, question: .attach(sessionID: session),
            narration: SignInNarration(
                providerName: name, presentation: place.canOpenBrowser || launch != nil ? .browserHere : .elsewhere(from: place),
                isInteractive: terminal.isInteractive, terminal: terminal, times: { [terminal] in terminal.timesOfWords }),
            terminal: terminal, interrupts: Interrupts(), onEvent: { launch?.show($0) })
        let outcome = try run.run()
        if common.json { return try StandardOutput.write(document: outcome.reply) }
        try StandardOutput.write(line: PersonText.outcome(of: outcome.event, providerName: name))
    }
}

struct Cancel: DaemonCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel a sign-in for all programs that wait for it.",
        discussion: """
            EXAMPLES
              postern sessions
              postern cancel SESSION
            """)

    @Argument(help: "The sign-in, as postern sessions names it.", completion: .sessions)
    var session: String

    @OptionGroup var common: CommonOptions

    mutating func take(from line: inout PlainLine) {
        common = Options(plain: &line)
        session = line.argument()
    }

    func perform() throws {
        guard !session.isEmpty else { throw SessionText.empty }
        guard try call(Interface.CancelSession(sessionID: session)) != nil else { return }
        StandardError.note("cancelled")
    }
}
