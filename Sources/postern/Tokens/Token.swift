import ArgumentParser
import PosternClient

struct Token: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print an access token, refreshed if needed.",
        discussion: """
            Only the token is on standard output. Ends with status 3 if nothing usable is stored.

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
        help: ArgumentHelp("Which account, if there are several: its identifier, address or user name.", valueName: "account"),
        completion: .accounts)
    var account: String?

    @Option(name: .customLong("scope"), help: ArgumentHelp("A scope that the token must have. May be repeated.", valueName: "scope"))
    var scopes: [String] = []

    @Option(help: ArgumentHelp("The service that the token is for (RFC 8707), if not the provider's usual one.", valueName: "url"))
    var resource: String?

    @Flag(help: "Print the ID token, which says who signed in.")
    var idToken = false

    @Option(
        help: ArgumentHelp("How long the token must still be valid, such as 60s.", valueName: "duration"),
        transform: DurationText.init(option:))
    var minValidity: DurationText?

    @Flag(help: "Fail if the provider gives no token that is valid for as long as --min-validity says, instead of only warning.")
    var strict = false

    @Flag(help: "Get a new token even if the stored one is valid, unless it was fetched a moment ago.")
    var refresh = false

    @Flag(help: "Print a whole HTTP header line: Authorization: Bearer and the token.")
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
