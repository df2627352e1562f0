import PosternClient
import ProgramOptions

struct SignIn: ProvingCommand {
    static let intent = Intent.signIn
    static let name = "sign-in"
    static let abstract = "Sign in through a provider, and keep the account for your programs."
    static let aliases = ["login"]
    static let discussion = """
        Opens the provider's page in your browser and waits. Without a display, over SSH, or with --no-browser it prints the address \
        and the ssh command that forwards the answer here; you can also paste the address of the last page.

        With --device it shows a code to type on any other device, and a QR code, if the provider supports that. On a terminal you can \
        switch while the sign-in waits: d and Enter for a code, u and Enter for the page's address.

        The account is yours, for all your programs: git, mail, postern token. It concerns no user of any app. With --app it signs the \
        user of that app in instead, by the rules for users. Then the provider may also be anonymous, or password: with an address and \
        a password, which it asks for, or reads from a line of standard input; without --app these mean the app default. On a terminal \
        it continues if the account rules need more: another sign-in with the same address, a second factor. Elsewhere, and with \
        --json, it says which command to run next.

        Of several accounts at one provider each needs a name: --as gives it, and writes it into the configuration. On a terminal it asks \
        whether to sign in again or with another account, which then gets a name of its own. The provider's name goes on to mean the \
        first account, so programs that use it keep working.

        Ctrl-C gives up. Programs that wait for the same page keep waiting; one that asks at that very moment, or joined with \
        AttachSession, may be told that it was cancelled.

        EXAMPLES
          postern sign-in github.com
          postern sign-in work --login-hint ada@example.com --timeout 2m
          postern sign-in github.com --scope repo --scope read:org
          postern sign-in github.com --no-browser
          postern sign-in github.com --device
          postern sign-in work --as grace
          postern sign-in --app my-tool github.com
          postern sign-in --app my-tool --email ada@example.com
        """

    let proof: ProofOptions
    let common: CommonOptions
    /// For [account.NAME].
    var newName: String?

    init(proof: ProofOptions, common: CommonOptions) { (self.proof, self.common) = (proof, common) }

    init(_ line: inout OptionReader) {
        proof = ProofOptions(&line)
        newName = line.option(
            "as", named: "name", help: "A name for the account, for one of several at the provider.", ifEmpty: "is empty: give a name")
        common = Self.commonOptions(&line)
    }

    func validate() throws(UsageError) {
        try proof.validate()
        guard newName != nil else { return }
        if common.givenApp != nil { throw UsageError("--as names an account of yours, and --app is about a user of an app") }
        guard case .provider = proof.way(app: common.app) else { throw UsageError("--as goes with a provider") }
    }

    static func commonOptions(_ line: inout OptionReader) -> CommonOptions {
        line.userOptions(help: "Sign in the user of this app, instead of keeping an account.")
    }

    func perform(in dialogue: AccountDialogue) throws {
        guard common.givenApp == nil, case .provider(let parameters) = proof.way(app: common.app) else {
            return try proveUser(in: dialogue)
        }
        if parameters.providerID.isEmpty { throw CommandFailure.emptyProvider }
        let signIn = try AccountSignIn(dialogue, parameters, as: newName)
        let proved = try signIn.finish(try dialogue.prove(.provider(signIn.parameters), .keep))
        if common.json { return try StandardOutput.write(document: proved.reply) }
        try StandardOutput.tell(PersonText.outcome(of: proved))
        if let note = dialogue.renewalNote(for: proved) { StandardError.note(note) }
        if terminal.isInteractive, let advice = dialogue.tokenAdvice(for: proved) { StandardError.note(advice) }
    }
}
