import ArgumentParser

struct Setup: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Set a provider up, from registering a client to the first sign-in.",
        discussion: """
            Checks that the daemon runs, says what to register at the provider and opens its page for that, asks for the client ID and \
            secret, shows what will be written and writes it once you agree: a file in config.d, and the secret where only you can read \
            it. Then the daemon reloads, the client is checked, and you sign in. Run it again to change something.

            For GitHub a client ID is enough: leave the secret empty, and you sign in with a code. Set up any other OpenID provider under \
            a name of your choice, with its issuer.

            For scripts: --client-id, --client-secret-file (- is standard input) and --yes.

            EXAMPLES
              postern setup github.com
              postern setup work --issuer https://login.example.com/realms/work
              postern setup github.com --client-id Iv1.0123456789abcdef \\
                  --client-secret-file secret --yes --no-sign-in
            """)

    @Argument(help: "A built-in provider, or a name for another one.", completion: .providers)
    var provider: String?

    @Option(help: ArgumentHelp("The client ID from the registration.", valueName: "id"))
    var clientID: String?

    @Option(
        help: ArgumentHelp("A file whose first line is the client secret; - is standard input.", valueName: "file"), completion: .file())
    var clientSecretFile: String?

    @Option(help: ArgumentHelp("The issuer of an OpenID provider that is not built in.", valueName: "url"))
    var issuer: String?

    @Option(help: ArgumentHelp("The name that users see. (default: its name)", valueName: "name"))
    var displayName: String?

    @Option(help: ArgumentHelp("Where the secret is kept: file, keyring or credential (systemd's).", valueName: "place"))
    var secretIn = SecretPlacement.file

    @Flag(help: "Do not ask; assume yes.")
    var yes = false

    @Flag(inversion: .prefixedNo, help: "Sign in after the setup.")
    var signIn = true

    @OptionGroup var file: ConfigurationFileOption
    @OptionGroup var common: UserOptions

    func perform() throws {
        let dialogue = try SetupDialogue(
            account: AccountDialogue(common: common, setUp: SetupDialogue.setUp), file: file,
            answers: SetupDialogue.Answers(
                clientID: clientID, clientSecretFile: clientSecretFile, issuer: issuer, displayName: displayName, placement: secretIn,
                isYes: yes))
        try dialogue.run(provider, signsIn: signIn)
    }
}
