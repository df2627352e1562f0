import PosternClient
import ProgramOptions

/// A command in which a user proves who they are; such commands differ in what follows.
protocol ProvingCommand: AccountCommand {
    static var intent: Intent { get }
    var proof: ProofOptions { get }
    init(proof: ProofOptions, common: CommonOptions)
    static func commonOptions(_ line: inout OptionReader) -> CommonOptions
}

extension ProvingCommand {
    init(_ line: inout OptionReader) { self.init(proof: ProofOptions(&line), common: Self.commonOptions(&line)) }

    static func commonOptions(_ line: inout OptionReader) -> CommonOptions { line.userOptions() }

    var ask: AskOptions? { proof.ask }
    var setUp: AccountDialogue.SetUp? { SetupDialogue.setUp }

    func perform(in dialogue: AccountDialogue) throws { try proveUser(in: dialogue) }

    func proveUser(in dialogue: AccountDialogue) throws {
        if proof.provider == "" { throw CommandFailure.emptyProvider }
        // Checked now, so that nobody goes through a page for nothing.
        let before = Self.intent == .signIn ? nil : try dialogue.currentUser()
        if Self.intent != .signIn, before == nil { throw dialogue.nobody }
        let proved = try dialogue.recently { try dialogue.prove(proof.way(app: common.app), Self.intent) }
        if common.json { return try StandardOutput.write(document: proved.reply) }
        try StandardOutput.tell(PersonText.outcome(of: proved, before: before) + common.inApp)
    }

    func validate() throws(UsageError) {
        try proof.validate()
        // An anonymous user can prove nothing, and cannot be linked to anything.
        guard Self.intent == .signIn || proof.provider != SignInWay.anonymousID else {
            throw UsageError("that needs a provider, or a password")
        }
    }
}
