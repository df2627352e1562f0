import PosternClient
import ProgramOptions

struct Token: DaemonCommand {
    static let name = "token"
    static let abstract = "Print an access token, refreshed if needed."
    static let discussion = """
        Only the token is on standard output. Ends with status 3 if nothing usable is stored.

        EXAMPLES
          postern token github.com
          curl -H @<(postern token work --header) https://api.example.com/me
          postern token work --min-validity 10m --scope calendar.read
          postern token work --resource https://api.example.com/
          postern token work --id-token
        """

    let request: TokenRequest
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        var request = TokenRequest(
            providerID: line.argument(
                "provider", .names(.tokenOwners),
                help: "The provider, as postern provider list names it, the name of an account in the configuration, or its address."))
        request.account = line.option(
            "account", .names(.accounts), named: "account",
            help: "Which account, if there are several: its identifier, address or user name.", ifEmpty: AccountNaming.emptyOption)
        request.scopes = line.options(
            "scope", named: "scope", help: "A scope that the token must have. May be repeated.",
            ifEmpty: "is empty: give a scope, or leave the option out")
        request.resource = line.option(
            "resource", named: "url", help: "The service that the token is for (RFC 8707), if not the provider's usual one.")
        request.idToken = line.flag("id-token", help: "Print the ID token, which says who signed in.")
        request.minimumValidity = line.option(
            "min-validity", named: "duration", help: "How long the token must still be valid, such as 60s.", problem: DurationText.problem
        ).flatMap { DurationText($0) }
        request.strict = line.flag(
            "strict", help: "Fail if the provider gives no token that is valid for as long as --min-validity says, instead of only warning."
        )
        request.refresh = line.flag(
            "refresh",
            help: "Get a new token even if the stored one is valid, unless it was fetched a moment ago. If nothing can renew it, its "
                + "provider is asked whether it is still valid.")
        request.header = line.flag("header", help: "Print a whole HTTP header line: Authorization: Bearer and the token.")
        self.request = request
        common = line.commonOptions()
    }

    func validate() throws(UsageError) {
        if request.header, common.json { throw UsageError("--header and --json print different things: give one of them") }
        if let problem = request.problem { throw UsageError(problem) }
    }

    func perform() throws { try request.perform(common) }
}
