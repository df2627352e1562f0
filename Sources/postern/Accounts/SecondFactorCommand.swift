import ArgumentParser
import PosternClient

struct SecondFactorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "second-factor",
        abstract: "List, add and remove the current user's second factors.",
        discussion: """
            EXAMPLES
              postern second-factor list
              postern second-factor add totp
              postern second-factor add phone +390612345678
              postern second-factor remove UID
            """,
        subcommands: [SecondFactorList.self, SecondFactorAdd.self, SecondFactorRemove.self])
}
