import PosternClient
import ProgramOptions

struct UserToken: DaemonCommand {
    static let name = "user-token"
    static let abstract = "Print an ID token that tells another service on this machine who is signed in."
    static let discussion = """
        Only the token is on standard output. It is valid for an hour, and only for the service that --audience names. Ends with \
        status 3 if nobody is signed in. Without --app it is about the user of the app default.

        EXAMPLES
          postern user-token --audience notes.example
          curl -H @<(printf 'Authorization: Bearer %s\\n' \\
              "$(postern user-token --audience notes.example)") http://127.0.0.1:8000/
        """

    let audience: String
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        audience = line.requiredOption(
            "audience", named: "name", help: "The service that it is for, by its own name.",
            ifEmpty: "is empty: give the name that the service has for itself")
        common = line.userOptions()
    }

    func perform() throws {
        do {
            guard let reply = try call(Interface.GetUserToken(audience: audience, app: common.app)) else { return }
            // Not for a script, which has nobody to read it.
            if common.givenApp == nil, terminal.showsWords { StandardError.note("this is about the user of the app \(common.app)".plain) }
            try StandardOutput.write(line: TokenRequest.line(reply.idToken.reveal(), of: audience))
        } catch PosternError.notUnderstood("org.varlink.service.InvalidParameter", _) {
            throw CommandFailure(
                "there is no token for \(audience)".plain,
                advice: "--audience takes up to 255 visible characters; if a Firebase project has the accounts, only its ID")
        }
    }
}
