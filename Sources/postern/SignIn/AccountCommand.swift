import PosternClient

/// A command about the app's user, which may have to ask the user questions.
protocol AccountCommand: DaemonCommand {
    /// The command line's options for pages; nil for a command that opens one only if necessary.
    var ask: AskOptions? { get }
    /// How a provider is set up for a sign-in that finds none.
    var setUp: AccountDialogue.SetUp? { get }
    func perform(in dialogue: AccountDialogue) throws
}

extension AccountCommand {
    var ask: AskOptions? { nil }
    var setUp: AccountDialogue.SetUp? { nil }

    func perform() throws {
        let dialogue = try AccountDialogue(common: common, ask: ask, setUp: setUp)
        do {
            try perform(in: dialogue)
        } catch PosternError.refused(let refusal) {
            throw dialogue.advice().failure(refusal)
        }
    }
}
