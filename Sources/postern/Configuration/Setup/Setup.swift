import ProgramOptions

struct Setup: DaemonCommand {
    static let name = "setup"
    static let abstract = "Set a provider up, from registering a client to the first sign-in."
    static let discussion = """
        Checks that the daemon runs, asks what the tokens are for, says what to register at the provider and opens its page for that, \
        asks for the client ID and secret, shows what will be written and writes it once you agree: a file in config.d, and the \
        secret where only you can read it. Then the daemon reloads, the client is checked, git's settings are offered where they \
        are needed, and you sign in. Run it again to change something; it begins with what does not work.

        For GitHub a client ID is enough: leave the secret empty, and you sign in with a code. Set up any other OpenID provider under \
        a name of your choice, with its issuer.

        For scripts: --client-id, --client-secret-file (- is standard input), --scope and --yes. Without --scope the tokens are for \
        signing in only.

        EXAMPLES
          postern setup github.com
          postern setup work --issuer https://login.example.com/realms/work
          postern setup github.com --client-id Iv1.0123456789abcdef \\
              --client-secret-file secret --yes --no-sign-in
          postern setup github.com --scope read:user --scope repo
        """

    let provider: String?
    let clientID: String?
    let clientSecretFile: String?
    let issuer: String?
    let displayName: String?
    let scopes: [String]
    let secretIn: SecretPlacement
    let yes: Bool
    let signIn: Bool
    let file: ConfigurationFileOption
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        provider = line.optionalArgument("provider", .names(.providers), help: "A built-in provider, or a name for another one.")
        clientID = line.option("client-id", named: "id", help: "The client ID from the registration.")
        clientSecretFile = line.option(
            "client-secret-file", .file, named: "file", help: "A file whose first line is the client secret; - is standard input.")
        issuer = line.option("issuer", named: "url", help: "The issuer of an OpenID provider that is not built in.")
        displayName = line.option("display-name", named: "name", help: "The name that users see. (default: its name)")
        scopes = line.options(
            "scope", named: "scope", help: "A scope that the tokens are to have, in place of the usual ones. May be repeated.")
        secretIn =
            SecretPlacement(
                rawValue: line.option(
                    "secret-in", .oneOf(SecretPlacement.allCases.map(\.rawValue)), named: "place", default: SecretPlacement.file.rawValue,
                    help: "Where the secret is kept: file, keyring or credential (systemd's)."))
            ?? .file
        yes = line.flag("yes", help: "Do not ask; assume yes.")
        signIn = line.flagWithOpposite("sign-in", help: "Sign in after the setup.")
        file = ConfigurationFileOption(&line)
        common = line.userOptions(help: "Sign in the user of this app, instead of keeping an account.")
    }

    func perform() throws {
        let dialogue = try SetupDialogue(
            account: AccountDialogue(common: common, setUp: SetupDialogue.setUp), file: file,
            answers: SetupDialogue.Answers(
                clientID: clientID, clientSecretFile: clientSecretFile, issuer: issuer, displayName: displayName, scopes: scopes,
                placement: secretIn, isYes: yes))
        try dialogue.run(provider, signsIn: signIn)
    }
}
