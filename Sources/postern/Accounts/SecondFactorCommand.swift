import PosternClient
import ProgramOptions

enum SecondFactorCommand: CommandWord {
    static let name = "second-factor"
    static let abstract = "List, add and remove the current user's second factors."
    static let discussion = """
        EXAMPLES
          postern second-factor list
          postern second-factor add totp
          postern second-factor add phone +390612345678
          postern second-factor remove UID
        """
    static let sections = [CommandSection([SecondFactorList.self, SecondFactorAdd.self, SecondFactorRemove.self])]
}
