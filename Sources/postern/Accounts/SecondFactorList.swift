import PosternClient
import ProgramOptions

struct SecondFactorList: AccountCommand {
    static let name = "list"
    static let abstract = "List the current user's second factors."
    static let discussion = """
        EXAMPLES
          postern second-factor list
          postern second-factor list --json | jq -r '.secondFactors[].uid'
        """

    let common: CommonOptions

    init(_ line: inout OptionReader) {
        common = line.userOptions()
    }

    func perform(in dialogue: AccountDialogue) throws {
        guard let user = try dialogue.currentUser() else { throw dialogue.nobody }
        if common.json {
            return try StandardOutput.write(document: ["secondFactors": .array(user.secondFactors.map { .object($0.object) })])
        }
        guard !user.secondFactors.isEmpty else {
            return StandardError.write(
                line: "there is none\(common.inApp); to add one: \(dialogue.advice().command("second-factor add totp"))".plain)
        }
        let times = terminal.times
        var table = Table()
        table.add("UID", "KIND", "NAME", "TELEPHONE", "SINCE")
        for factor in user.secondFactors {
            table.add(
                factor.uid, factor.factorID.rawValue, factor.displayName ?? "-", factor.phoneNumber ?? "-", times.date(factor.enrolledAt))
        }
        if terminal.isInteractive, common.givenApp == nil { StandardError.note("of the user\(common.inApp)".plain) }
        try StandardOutput.write(lines: table.listing(within: Terminal.columns, cutsLast: false))
    }
}
