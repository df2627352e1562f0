import ArgumentParser
import PosternClient

/// A command in which a person proves who they are: they differ in what becomes of it.
protocol ProvingCommand: AccountCommand {
    static var intent: Intent { get }
    var proof: ProofOptions { get }
}

extension ProvingCommand {
    var ask: AskOptions? { proof.ask }

    func perform(in dialogue: AccountDialogue) throws {
        // Rather than after a page that somebody went through in vain.
        if Self.intent != .signIn, try dialogue.currentUser() == nil { throw dialogue.nobody }
        let proved = try dialogue.recently { try dialogue.prove(proof.way(app: common.app), Self.intent) }
        if common.json { return try StandardOutput.write(document: proved.reply) }
        try StandardOutput.write(line: PersonText.outcome(of: proved))
    }

    /// Of an anonymous user nothing can be proved, and it can be linked to nothing.
    func refuseAnonymous() throws {
        guard proof.provider == SignInWay.anonymousID else { return }
        throw ValidationError("that needs a provider, or a password")
    }
}
