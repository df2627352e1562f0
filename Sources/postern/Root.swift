import ProgramOptions

/// The list of all commands: each is in a file of its own.
enum Postern: CommandWord {
    static let name = "postern"
    static let abstract = "Sign in to providers from the desktop and the terminal, and give their tokens to programs."
    static let discussion = """
        The daemon, posternd, receives the provider's answers and keeps the credentials; this command is its client.

        EXAMPLES
          postern setup github.com
          postern sign-in github.com
          TOKEN=$(postern token github.com)
          postern doctor
          postern demo --headless

        EXIT STATUS
          0   done
          1   failed; the reason is on standard error
          2   access was denied, the sign-in was cancelled, or time ran out
          3   the user must sign in first
          4   the daemon cannot be reached
          64  wrong usage
        """
    static let sections = [
        CommandSection("Sign-in", [Setup.self, SignIn.self, AccountsCommand.self, WhoAmI.self, SignOut.self]),
        CommandSection(
            "User",
            [
                Link.self, Unlink.self, Reauthenticate.self, CreateUser.self, UpdateUser.self, DeleteUser.self, SecondFactorCommand.self,
            ]),
        CommandSection(
            "Token",
            [
                Token.self, UserToken.self, Credentials.self, Revoke.self, Helper.self, Exec.self, Curl.self, SASL.self, MCPCommand.self,
                Import.self,
            ]),
        CommandSection("Waiting sign-in", [Sessions.self, Attach.self, Cancel.self, OpenURL.self]),
        CommandSection(
            "Service",
            [
                ConfigCommand.self, ProviderCommand.self, URLSchemeCommand.self, Status.self, MonitorCommand.self, ReloadCommand.self,
                Lock.self, Unlock.self, Doctor.self, Call.self,
            ]),
        CommandSection("First look", [Demo.self]),
    ]
    /// Those of gh, gcloud, oidc-agent, pizauth and the like.
    static let guesses = [
        CommandGuess(["auth login", "auth refresh", "add", "gen"], "postern sign-in PROVIDER signs in"),
        CommandGuess(["auth logout", "auth revoke"], "postern sign-out ACCOUNT forgets an account"),
        CommandGuess(["auth token", "auth print-access-token", "get-token", "get", "show"], "postern token PROVIDER prints a token"),
        CommandGuess(["refresh"], "postern token PROVIDER --refresh prints a new token"),
        CommandGuess(["auth status", "auth list", "list"], "postern accounts shows your accounts"),
        CommandGuess(["auth"], "postern sign-in PROVIDER signs in, and postern accounts shows your accounts"),
        CommandGuess(["auth setup-git"], "git config --global credential.https://github.com.helper postern makes git ask Postern"),
        CommandGuess(["init", "configure", "register"], "postern setup PROVIDER sets up a provider"),
        CommandGuess(
            ["remove", "rm", "delete"],
            "postern accounts remove ACCOUNT removes an account, and postern provider remove PROVIDER a provider"),
        CommandGuess(["version"], "postern --version prints the version"),
    ]
}
