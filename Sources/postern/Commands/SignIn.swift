import ArgumentParser
import PosternClient
import PosternInterface

struct SignIn: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in",
        abstract: "Sign in through a provider, and say who it is.",
        discussion: """
            Opens the provider's page in your browser and waits. Without a display, over SSH, or with --no-browser it prints the \
            address and the ssh command that brings the redirect here, and takes the address of the last page pasted.

            With --device it shows a code to type on any other device, and a QR code, where the provider has that. On a terminal \
            the way can be changed while the sign-in waits: d and Enter for a code, u and Enter for the page's address.

            Ctrl-C gives up. Programs that wait for the same page go on waiting; one that asks in that very instant, or took \
            the sign-in up with AttachSession, may be told that it was cancelled.

            EXAMPLES
              postern sign-in github.com
              postern sign-in work --login-hint ada@example.com --timeout 2m
              postern sign-in github.com --scope repo --scope read:org
              postern sign-in github.com --no-browser
              postern sign-in github.com --device
            """)

    @Argument(help: "The provider, as postern provider list names it.")
    var provider: String

    @OptionGroup var ask: AskOptions
    @OptionGroup var common: CommonOptions

    func perform() throws {
        let place = Place(environment: environment)
        let opensHere = place.canOpenBrowser && !ask.noBrowser
        let name = ProviderName.look(up: provider, socketPath: common.socketPath)
        let parameters = ask.signIn(providerID: provider, intent: .signIn, app: common.app, presentation: opensHere ? .daemon : .client)
        let run = try SignInRun(
            socketPath: common.socketPath, question: .start(parameters),
            ladder: Ladder(socketPath: common.socketPath, question: parameters),
            narration: SignInNarration(
                providerName: name, presentation: opensHere ? .browserHere : .elsewhere(from: place),
                isInteractive: terminal.isInteractive, terminal: terminal, timeoutAdvice: "--timeout says how long"),
            terminal: terminal, interrupts: Interrupts())
        let outcome = try run.run()
        if common.json { return try StandardOutput.write(document: outcome.reply) }
        try StandardOutput.write(line: PersonText.outcome(of: outcome.event, providerName: name))
    }
}
