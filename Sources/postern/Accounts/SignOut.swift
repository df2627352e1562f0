import PosternClient
import ProgramOptions

struct SignOut: DaemonCommand {
    static let name = "sign-out"
    static let abstract = "Forget the app's current user."
    static let aliases = ["logout"]
    static let discussion = """
        The user and the credentials stay; postern revoke revokes a credential.

        EXAMPLES
          postern sign-out
          postern sign-out --app my-tool
        """

    let common: CommonOptions

    init(_ line: inout OptionReader) {
        common = line.userOptions()
    }

    func perform() throws {
        guard try call(Interface.SignOut(app: common.app)) != nil else { return }
        StandardError.note("signed out")
    }
}
