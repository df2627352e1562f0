import ArgumentParser
import PosternClient

struct Token: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print an access token, refreshed where needed.",
        discussion: """
            The token alone is on standard output. Ends with status 3 where nothing usable is stored.

            EXAMPLES
              postern token github.com
              curl -H @<(postern token work --header) https://api.example.com/me
              postern token work --min-validity 10m --scope calendar.read
              postern token work --resource https://api.example.com/
              postern token work --id-token
            """)

    @Argument(
        help: "The provider, as postern provider list names it, or the name of an account in the configuration.", completion: .tokenOwners)
    var provider: String

    @Option(
        help: ArgumentHelp("Which account, where there are several: its identifier, address or user name.", valueName: "account"),
        completion: .accounts)
    var account: String?

    @Option(name: .customLong("scope"), help: ArgumentHelp("A scope that the token must have. May be repeated.", valueName: "scope"))
    var scopes: [String] = []

    @Option(help: ArgumentHelp("The service that the token is for (RFC 8707), where it is not the provider's usual one.", valueName: "url"))
    var resource: String?

    @Flag(help: "Print the ID token, which says who signed in.")
    var idToken = false

    @Option(
        help: ArgumentHelp("How long the token must be good for at least, such as 60s.", valueName: "duration"),
        transform: DurationText.init(option:))
    var minValidity: DurationText?

    @Flag(help: "Fail where the provider gives no token that is good for as long as --min-validity says; else that is only told.")
    var strict = false

    @Flag(help: "Get a new token even where the stored one is good, unless it was fetched a moment ago.")
    var refresh = false

    @Flag(help: "Print the whole line of an HTTP header, Authorization: Bearer and the token.")
    var header = false

    @OptionGroup var common: CommonOptions

    var request: TokenRequest {
        TokenRequest(
            providerID: provider, account: account, scopes: scopes, minimumValidity: minValidity, refresh: refresh,
            socket: common.socket, json: common.json, header: header, resource: resource, idToken: idToken, strict: strict)
    }

    mutating func validate() throws {
        if let problem = request.problem { throw ValidationError(problem) }
    }

    func run() throws {
        if common.quiet { StandardError.beQuiet() }
        let status = request.run()
        if status != .done { throw ExitCode(status.rawValue) }
    }
}

struct UserToken: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "user-token",
        abstract: "Print an ID token that says to another service of this machine who is signed in.",
        discussion: """
            The token alone is on standard output. It is good for an hour, for the service that --audience names, and for nobody else. \
            Ends with status 3 where nobody is signed in.

            EXAMPLES
              postern user-token --audience notes.example
              curl -H @<(printf 'Authorization: Bearer %s\\n' "$(postern user-token --audience notes.example)") http://127.0.0.1:8000/
            """)

    @Option(help: ArgumentHelp("The service that it is for, as that service calls itself.", valueName: "name"))
    var audience: String

    @OptionGroup var common: UserOptions

    func perform() throws {
        do {
            guard let reply = try call(Interface.GetUserToken(audience: audience, app: common.app)) else { return }
            try StandardOutput.write(line: TokenRequest.line(reply.idToken.reveal(), of: audience))
        } catch PosternError.notUnderstood("org.varlink.service.InvalidParameter", _) {
            throw CommandFailure(
                "there is no token for \(audience.isEmpty ? "a service without a name" : audience.plain)",
                advice: "--audience takes up to 255 bytes, all of them visible; where a Firebase project has the accounts, its ID alone")
        }
    }
}
