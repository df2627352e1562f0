import PosternClient
import ProgramOptions

struct SecondFactorAdd: AccountCommand {
    static let name = "add"
    static let abstract = "Add a second factor to the current user: an authenticator app, or a phone."
    static let discussion = """
        For totp it shows a QR code for the app, and the secret; for phone a code is sent to the number. Then it asks for the first \
        code. It needs a sign-in within the last five minutes; on a terminal it offers one.

        With --json nothing is asked: the answer has an enrollmentID, to be confirmed with the method ConfirmSecondFactor.

        EXAMPLES
          postern second-factor add totp --name 'my phone'
          postern second-factor add phone +390612345678
        """

    let kind: SecondFactor.FactorID
    let number: String?
    let name: String?
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        kind = SecondFactor.FactorID(rawValue: line.argument("kind", .oneOf(["totp", "phone"]), help: "totp or phone.")) ?? .totp
        number = line.optionalArgument("number", help: "The phone number, with the country code: +390612345678.")
        name = line.option("name", named: "name", help: "The factor's name.")
        common = line.userOptions()
    }

    func validate() throws(UsageError) {
        switch (kind, number) {
        case (.phone, nil): throw UsageError("which number? postern second-factor add phone +390612345678")
        case (.totp, _?): throw UsageError("a number needs phone")
        default: break
        }
    }

    func perform(in dialogue: AccountDialogue) throws {
        guard common.json || dialogue.prompt != nil else {
            throw CommandFailure.noTerminal(
                to: "ask for the first code",
                advice: "run it in a terminal; or use --json, and give the code with: postern call ConfirmSecondFactor -")
        }
        let reply = try dialogue.recently {
            try dialogue.raw(Interface.EnrollSecondFactor(factorID: kind, phoneNumber: number, displayName: name, app: common.app))
        }
        guard let prompt = dialogue.prompt else { return try StandardOutput.write(document: reply) }
        let enrollment = try PosternConnection.read(Interface.EnrollSecondFactor.Reply.self, from: reply)
        for line in EnrollmentText.lines(for: enrollment, number: number, on: terminal) { prompt.say(line) }
        let user = try dialogue.codes(prompt) { code in
            try dialogue.call(
                Interface.ConfirmSecondFactor(enrollmentID: enrollment.enrollmentID, verificationCode: Secret(code), app: common.app)
            ).user
        }
        try StandardOutput.write(line: "added; from now on signing in as \(PersonText.name(of: user))\(common.inApp) also asks for a code")
    }
}
