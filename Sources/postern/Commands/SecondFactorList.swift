import ArgumentParser
import PosternClient
import StrictJSON

struct SecondFactorList: AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the current user's second factors.",
        discussion: """
            EXAMPLES
              postern second-factor list
              postern second-factor list --json | jq -r '.secondFactors[].uid'
            """)

    @OptionGroup var common: CommonOptions

    func perform(in dialogue: AccountDialogue) throws {
        guard let user = try dialogue.currentUser() else { throw dialogue.nobody }
        if common.json {
            return try StandardOutput.write(document: ["secondFactors": .array(user.secondFactors.map { .object($0.object) })])
        }
        guard !user.secondFactors.isEmpty else {
            return StandardError.write(line: "there is none; to add one: \(dialogue.advice().command("second-factor add totp"))".plain)
        }
        var table = Table()
        table.add("UID", "KIND", "NAME", "TELEPHONE", "SINCE")
        for factor in user.secondFactors {
            table.add(factor.uid, factor.factorID.rawValue, factor.displayName ?? "-", factor.phoneNumber ?? "-", factor.enrolledAt)
        }
        for line in table.lines { try StandardOutput.write(line: line) }
    }
}
