import PosternClient
import ProgramOptions

struct Attach: DaemonCommand {
    static let name = "attach"
    static let abstract = "Join a sign-in in progress and wait for its end, or fetch a result that nobody has received."
    static let discussion = """
        What follows is what the sign-in was for: an account that is kept, or a user of an app.

        A result can be fetched until it has been delivered once or has expired; postern sessions says which have not been fetched.

        With --open the page opens again, with a new state: after it was closed, or in another browser or profile.

        EXAMPLES
          postern sessions
          postern attach SESSION
          postern attach SESSION --open
          postern attach SESSION --browser firefox -P work
        """

    let session: String
    let open: Bool
    let browser: [String]
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        session = line.argument("session", .names(.attachableSessions), help: "The sign-in, as postern sessions names it.")
        open = line.flag("open", help: "Open its page again.")
        browser = line.lastOption(
            "browser", named: "command", help: "Open its page again with this command: all that follows, and the address.")
        common = line.commonOptions()
    }

    func perform() throws {
        guard !session.isEmpty else { throw SessionText.empty }
        let launch = open || !browser.isEmpty ? BrowserLaunch(browser.isEmpty ? ["xdg-open"] : browser) : nil
        let place = TerminalLocation.current
        let joined = try ProviderName.session(session, socketPath: common.socketPath)
        let name = try joined.map { try ProviderName.look(up: $0.providerID, socketPath: common.socketPath) } ?? "the provider"
        let dialogue = try self.dialogue(about: joined)
        let run = try SignInRun(
            socketPath: common.socketPath, request: Interface.AttachSession(sessionID: session),
            narration: SignInNarration(
                providerName: name, presentation: place.canOpenBrowser || launch != nil ? .browserHere : .elsewhere(from: place),
                isInteractive: terminal.isInteractive, terminal: terminal, times: { [terminal] in terminal.timesOfWords }),
            terminal: terminal, interrupts: dialogue.interrupts, onEvent: { launch?.show($0) })
        let outcome: SignInRun.Outcome
        do { outcome = try run.run() } catch PosternError.refused(let refusal) {
            guard case .accountNotConfirmed = refusal, let joined, !common.json else { throw PosternError.refused(refusal) }
            // The person says whether the account is the one that the name is for, as in the command that began.
            let way = SignInWay.provider(Interface.SignIn(providerID: joined.account ?? joined.providerID))
            return try StandardOutput.tell(PersonText.outcome(of: dialogue.goOn(after: refusal, way, joined.intent)))
        }
        if common.json { return try StandardOutput.write(document: outcome.reply) }
        let app = outcome.event.result == nil ? "" : joined.map { " in the app \($0.app)" } ?? ""
        try StandardOutput.tell(PersonText.outcome(of: outcome.event, providerName: name) + app.plain)
        if let account = outcome.event.account,
            let note = CredentialText.withoutRenewal(account, at: name, times: terminal.timesOfWords)
        {
            StandardError.note(note)
        }
    }

    private func dialogue(about session: Session?) throws -> AccountDialogue {
        var common = common
        if let app = session?.app, !app.isEmpty { common.givenApp = app }
        return try AccountDialogue(common: common)
    }
}
