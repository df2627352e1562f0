import ArgumentParser
import PosternClient

struct SignOut: DaemonCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out",
        abstract: "Forget the app's current user.",
        discussion: """
            The user and the credentials stay; postern revoke revokes a credential.

            EXAMPLES
              postern sign-out
              postern sign-out --app my-tool
            """,
        aliases: ["logout"])

    @OptionGroup var common: UserOptions

    func perform() throws {
        guard try call(Interface.SignOut(app: common.app)) != nil else { return }
        StandardError.note("signed out")
    }
}
