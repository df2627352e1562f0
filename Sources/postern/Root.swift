import ArgumentParser
import PosternClient

struct Postern: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "postern",
        abstract: "Sign in to providers from the desktop and the terminal, and give their tokens to programs.",
        discussion: """
            The daemon, posternd, receives the browser's redirect and keeps the credentials; this command is its client.

            EXAMPLES
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
            """,
        version: Release.version,
        groupedSubcommands: [
            CommandGroup(name: "Sign-in", subcommands: [Setup.self, SignIn.self, WhoAmI.self, SignOut.self]),
            CommandGroup(
                name: "User",
                subcommands: [
                    Link.self, Unlink.self, Reauthenticate.self, CreateUser.self, UpdateUser.self, DeleteUser.self,
                    SecondFactorCommand.self,
                ]),
            CommandGroup(
                name: "Token",
                subcommands: [
                    Token.self, UserToken.self, Credentials.self, Revoke.self, Helper.self,
                    Exec.self, Curl.self, SASL.self, Import.self,
                ]),
            CommandGroup(name: "Waiting sign-in", subcommands: [Sessions.self, Attach.self, Cancel.self, OpenURL.self]),
            CommandGroup(
                name: "Service",
                subcommands: [
                    ConfigCommand.self, ProviderCommand.self, URLSchemeCommand.self, Status.self, MonitorCommand.self, ReloadCommand.self,
                    Lock.self,
                    Unlock.self, Doctor.self, Call.self,
                ]),
            CommandGroup(name: "First look", subcommands: [Demo.self]),
        ])
}
