import ArgumentParser
import PosternClient

struct SignOut: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out",
        abstract: "Forget who the app's current user is.",
        discussion: """
            The user and what the providers gave stay; postern revoke takes a credential back.

            EXAMPLES
              postern sign-out
              postern sign-out --app my-tool
            """)

    @OptionGroup var common: CommonOptions

    func perform() throws {
        guard try call(Interface.SignOut(app: common.app)) != nil else { return }
        StandardError.write(line: "signed out")
    }
}
