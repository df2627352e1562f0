import ArgumentParser
import PosternClient
import PosternInterface

struct Attach: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take up a sign-in that is under way, and wait for its end.",
        discussion: """
            A result can be fetched until it has been delivered once or has expired.

            EXAMPLES
              postern sessions
              postern attach SESSION
            """)

    @Argument(help: "The sign-in, as postern sessions names it.")
    var session: String

    @OptionGroup var common: CommonOptions

    func perform() throws {
        let place = Place(environment: environment)
        let name = ProviderName.look(upSession: session, socketPath: common.socketPath)
        let run = try SignInRun(
            socketPath: common.socketPath, question: .attach(sessionID: session),
            narration: SignInNarration(
                providerName: name, presentation: place.canOpenBrowser ? .browserHere : .elsewhere(from: place),
                isInteractive: terminal.isInteractive, terminal: terminal),
            terminal: terminal, interrupts: Interrupts())
        let outcome = try run.run()
        if common.json { return try StandardOutput.write(document: outcome.reply) }
        try StandardOutput.write(line: PersonText.outcome(of: outcome.event, providerName: name))
    }
}
