import PosternClient

/// A command about the app's user, which may have to ask the person something.
protocol AccountCommand: DaemonCommand {
    /// What the command line says about pages; nil for a command that opens one only where it has to.
    var ask: AskOptions? { get }
    func perform(in dialogue: AccountDialogue) throws
}

extension AccountCommand {
    var ask: AskOptions? { nil }

    func perform() throws {
        let dialogue = try AccountDialogue(common: common, ask: ask)
        do {
            try perform(in: dialogue)
        } catch PosternError.refused(let refusal) {
            throw dialogue.advice().failure(refusal)
        }
    }
}
