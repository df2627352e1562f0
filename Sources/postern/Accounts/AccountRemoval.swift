import PosternClient
import ProgramOptions

/// Options of the commands that forget an account.
struct RemovalOptions {
    let account: String?
    let keepGrant: Bool
    let endSession: Bool
    let yes: Bool

    init(_ line: inout OptionReader) {
        account = line.option(
            "account", .names(.accounts), named: "account",
            help: "Which account, if there are several at a provider: its identifier, address or user name.",
            ifEmpty: AccountNaming.emptyOption)
        keepGrant = line.flag("keep-grant", help: "Forget the account here, and leave the provider alone.")
        endSession = line.flag("end-session", help: "Also open the provider's sign-out page in the browser.")
        yes = line.flag("yes", help: "Do not ask.")
    }

    func validate() throws(UsageError) {
        if keepGrant, endSession { throw UsageError("--keep-grant leaves the provider alone, and --end-session does not") }
    }
}

/// Forgets an account here and revokes it at the provider, after the person agreed to it.
struct AccountRemoval {
    /// As on the command line: a name in the configuration, a provider, an address or an identifier.
    let word: String
    let options: RemovalOptions
    let dialogue: AccountDialogue

    private var common: CommonOptions { dialogue.common }

    func run() throws {
        guard !word.isEmpty else { throw CommandFailure.empty("the account's name", advice: "postern credentials shows the accounts") }
        try run(try meant(among: dialogue.call(Interface.ListCredentials()).credentials))
    }

    /// - Parameter meant: nil if the word means no account that the daemon can read.
    func run(_ meant: StoredCredential?) throws {
        let provider = try ProviderName.look(up: meant?.providerID ?? word, socketPath: common.socketPath)
        if let meant { try confirm(meant, at: provider) } else { try confirmUserName(at: provider) }
        let watch = try options.endSession ? EndSessionWatch(socketPath: common.socketPath) : nil
        do {
            // Without one that is meant, the daemon says what is wrong, and forgets what it could not read.
            let reply = try dialogue.raw(
                Interface.RevokeCredential(
                    providerID: meant?.providerID ?? word, uid: meant?.uid, account: meant == nil ? options.account : nil,
                    keepGrant: options.keepGrant ? true : nil))
            if let outcome = try common.reply(Interface.RevokeCredential.Reply.self, from: reply) {
                let account = meant.map { "\(AccountText($0, at: provider)): " } ?? ""
                let lines = RevocationText.lines(of: outcome, at: provider, keepsGrant: options.keepGrant)
                for (index, line) in lines.enumerated() { StandardError.note(((index == 0 ? account : "") + line).plain) }
            }
        } catch let error as PosternError {
            throw CommandFailure(error).offeringAccounts(at: word, socketPath: common.socketPath)
        }
        if var watch { show(watch.finding(at: meant?.providerID ?? word), at: provider) }
    }

    /// - Returns: nil if the word means none of them, or several and nobody can be asked.
    private func meant(among kept: [StoredCredential]) throws -> StoredCredential? {
        var meant = Self.meant(by: word, options.account, among: kept)
        // Nobody takes the place of the account that the provider's name means.
        if options.account == nil, meant.contains(where: { $0.providerID == word }), let name = meaning(ofProvider: word) {
            meant = meant.filter { $0.account == name }
        }
        guard meant.count > 1 else { return meant.first }
        guard let prompt = dialogue.prompt, !options.yes else {
            let choices = meant.map { "--account \(ShellWord.quoted(AccountText.word(for: $0, among: meant)))" }
            let advice = AccountNaming.advice(called: word, among: meant) ?? "choose one with: \(choices.joined(separator: ", "))"
            throw CommandFailure("\(word) could mean several accounts".plain, status: .wrongUsage, advice: advice.plain)
        }
        let providers = try dialogue.call(Interface.ListProviders()).providers
        prompt.say("\(word.plain) could mean several accounts:")
        let chosen = try prompt.choice("Which one?", among: meant.map { AccountText($0, among: providers).description })
        guard let chosen else { throw AccountDialogue.declined }
        return meant[chosen]
    }

    /// The account that a provider's name means; nil if the configuration says none, or cannot be read.
    private func meaning(ofProvider id: String) -> String? {
        guard let status = try? dialogue.call(Interface.GetStatus()) else { return nil }
        return (try? AccountFiles(mainFile: status.configurationFile).settings())?.meant(by: id)
    }

    /// A name in the configuration or of a provider goes before an address.
    static func meant(by word: String, _ account: String?, among kept: [StoredCredential]) -> [StoredCredential] {
        let named = kept.filter { $0.account == word }
        let there = named.isEmpty ? kept.filter { $0.providerID == word } : named
        let meant = there.isEmpty ? kept.filter { $0.isCalled(word) } : there
        return account.map { account in meant.filter { $0.isCalled(account) } } ?? meant
    }

    private func confirm(_ account: StoredCredential, at provider: String) throws {
        guard let prompt = dialogue.prompt, !options.yes else { return }
        let text = AccountText(account, at: provider)
        prompt.say(
            options.keepGrant
                ? "This forgets \(text) here. What was granted stays granted at \(provider)."
                : "This forgets \(text) here, and revokes its tokens at \(provider).")
        if let apps = RevocationText.apps(account.apps) { prompt.say("Users of \(apps) have it, too, and lose its tokens.") }
        guard try prompt.isYes("Sign out?", byDefault: account.apps.isEmpty) else { throw AccountDialogue.declined }
    }

    /// The daemon knows accounts by their user names, too, and does not tell these.
    private func confirmUserName(at provider: String) throws {
        guard let prompt = dialogue.prompt, !options.yes, let account = options.account else { return }
        prompt.say(
            "This forgets \(account) at \(provider) here\(options.keepGrant ? "" : ", and revokes its tokens at \(provider)").".plain,
            "If users of apps have the account, too, they lose its tokens.")
        guard try prompt.isYes("Sign out?", byDefault: false) else { throw AccountDialogue.declined }
    }

    private func show(_ finding: EndSessionWatch.Finding, at provider: String) {
        switch finding {
        case .none: StandardError.note("\(provider) has no sign-out page; sign out there yourself")
        case .opened: StandardError.note("the sign-out page of \(provider) is open in your browser")
        case .opening: StandardError.note("the sign-out page of \(provider) is being opened in your browser")
        case .offered(let address):
            StandardError.write(line: "to sign out at \(provider), open this page in the browser that you signed in with:")
            StandardError.write(line: "  " + dialogue.terminal.link(address))
            guard TerminalLocation.current.canOpenBrowser else { return }
            BrowserLaunch(["xdg-open"]).show(address)
        }
    }
}
