import ArgumentParser
import PosternClient

struct SignIn: ProvingCommand {
    static let intent = Intent.signIn
    static let configuration = CommandConfiguration(
        commandName: "sign-in",
        abstract: "Sign in through a provider, and say who it is.",
        discussion: """
            Opens the provider's page in your browser and waits. Without a display, over SSH, or with --no-browser it prints the \
            address and the ssh command that brings the redirect here, and takes the address of the last page pasted.

            With --device it shows a code to type on any other device, and a QR code, where the provider has that. On a terminal \
            the way can be changed while the sign-in waits: d and Enter for a code, u and Enter for the page's address.

            The provider may also be anonymous, or password: with an address and a password, which is asked for, or read from a line \
            of standard input. On a terminal it goes on where the rules of the accounts ask for more: another sign-in of the same \
            address, a second factor. Elsewhere, and with --json, it says which command leads on.

            Ctrl-C gives up. Programs that wait for the same page go on waiting; one that asks in that very instant, or took \
            the sign-in up with AttachSession, may be told that it was cancelled.

            EXAMPLES
              postern sign-in github.com
              postern sign-in work --login-hint ada@example.com --timeout 2m
              postern sign-in github.com --scope repo --scope read:org
              postern sign-in github.com --no-browser
              postern sign-in github.com --device
              postern sign-in --email ada@example.com
              postern sign-in anonymous --app my-tool
            """,
        aliases: ["login"])

    @OptionGroup var proof: ProofOptions
    @OptionGroup var common: UserOptions
}

struct SignOut: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out",
        abstract: "Forget who the app's current user is.",
        discussion: """
            The user and what the providers gave stay; postern revoke takes a credential back.

            EXAMPLES
              postern sign-out
              postern sign-out --app my-tool
            """,
        aliases: ["logout"])

    @OptionGroup var common: UserOptions

    func perform() throws {
        guard try call(Interface.SignOut(app: common.app)) != nil else { return }
        StandardError.note("signed out")
    }
}

struct WhoAmI: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami",
        abstract: "Say who the app's current user is.",
        discussion: """
            Their name and address, what they sign in with, and the second factors. Ends with status 3 where nobody is signed in.

            EXAMPLES
              postern whoami
              postern whoami --app my-tool --json
            """)

    @OptionGroup var common: UserOptions

    func perform() throws {
        let connection = try connect()
        defer { connection.close() }
        let reply = try connection.call(Interface.GetCurrentUser.method.name, Interface.GetCurrentUser(app: common.app).object)
        if common.json { try StandardOutput.write(document: reply) }
        guard let user = try PosternConnection.read(Interface.GetCurrentUser.Reply.self, from: reply).user else {
            let command = AccountAdvice(app: common.app).command("sign-in PROVIDER")
            throw CommandFailure("nobody is signed in", status: .signInNeeded, advice: "sign in with: \(command)".plain)
        }
        guard !common.json else { return }
        for line in UserText.lines(for: user, times: terminal.times, width: Terminal.columns) { try StandardOutput.write(line: line) }
    }
}
