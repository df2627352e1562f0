import ArgumentParser
import PosternClient

struct UserToken: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "user-token",
        abstract: "Print an ID token that says to another service of this machine who is signed in.",
        discussion: """
            The token alone is on standard output. It is good for an hour, for the service that --audience names, and for nobody else. \
            Ends with status 3 where nobody is signed in.

            EXAMPLES
              postern user-token --audience notes.example
              curl -H "Authorization: Bearer $(postern user-token --audience notes.example)" http://127.0.0.1:8000/
            """)

    @Option(help: ArgumentHelp("The service that it is for, as that service calls itself.", valueName: "name"))
    var audience: String

    @OptionGroup var common: CommonOptions

    func perform() throws {
        do {
            guard let reply = try call(Interface.GetUserToken(audience: audience, app: common.app)) else { return }
            try StandardOutput.write(line: reply.idToken.reveal())
        } catch PosternError.notUnderstood("org.varlink.service.InvalidParameter", _) {
            throw CommandFailure(
                "there is no token for \(audience.isEmpty ? "a service without a name" : audience.plain)",
                advice: "--audience takes up to 255 bytes, all of them visible; where a Firebase project has the accounts, its ID alone")
        }
    }
}
