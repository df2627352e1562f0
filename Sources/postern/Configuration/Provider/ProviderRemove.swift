import PosternClient
import PosternConfiguration
import ProgramOptions

struct ProviderRemove: DaemonCommand {
    static let name = "remove"
    static let abstract = "Take a provider out of the configuration, with its accounts and what is stored of them."
    static let discussion = """
        Revokes the tokens at the provider if that is possible, forgets them here, and removes the provider's section and those of its \
        accounts from your files. It asks first. A client secret in a file of its own stays there; its path is printed.

        EXAMPLES
          postern provider remove work
          postern provider remove work --yes
        """

    let provider: String
    let yes: Bool
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        provider = line.argument("provider", .names(.providers), help: "The provider, as postern provider list names it.")
        yes = line.flag("yes", help: "Do not ask.")
        common = line.connectionOptions()
    }

    func perform() throws {
        let provider = try self.provider(named: provider)
        let connection = try connect()
        defer { connection.close() }
        let files = try AccountFiles(asking: connection)
        let id = provider.providerID
        let kept = try connection.call(Interface.ListCredentials()).credentials.filter { $0.providerID == id }
        let plan: (text: ConfigurationText, accounts: [String], secrets: [String])
        do {
            let (text, settings) = (try files.text(), try files.settings())
            guard text.userFile(with: ["provider", id]) != nil || !kept.isEmpty else {
                throw CommandFailure("none of your files configures \(id), and nothing of it is stored".plain)
            }
            let names = settings.accounts.filter { $0.providerID == id }.map(\.name)
            plan = (text, names, try Self.secretFiles(of: id, in: text))
            // If a section cannot go, nothing is revoked either.
            _ = try text.changes(Self.edits(id, text, settings))
        } catch {
            throw CommandFailure(editing: error)
        }
        try ask(provider, plan.accounts, kept)
        for credential in kept {
            let end = GrantEnd(connection: connection, keepsGrant: false)
            try StandardOutput.write(lines: end.end(credential, providerName: provider.displayName))
        }
        for line in try files.change(over: connection, { Self.edits(id, try files.text(), $0) }) { try StandardOutput.write(line: line) }
        for file in plan.secrets {
            StandardError.note("its client secret is still in \(file); remove it with: rm \(ShellWord.quoted(file))".plain)
        }
        if let file = try files.text().entries(at: ["provider", id]).first?.file {
            StandardError.tell("\(id) is still configured, in \(file), which is not yours".plain)
        }
    }

    private static func edits(_ id: String, _ text: ConfigurationText, _ settings: AccountSettings) -> [ConfigurationText.Edit] {
        let sections: [ConfigurationText.Edit] = settings.accounts.filter { $0.providerID == id }.map { .unset(["account", $0.name]) }
        // What the administrator or a package says of it stays.
        return sections + (text.userFile(with: ["provider", id]) == nil ? [] : [.unsetOwn(["provider", id])])
    }

    private static func secretFiles(of id: String, in text: ConfigurationText) throws -> [String] {
        try text.entries(at: ["provider", id]).compactMap { entry in
            guard let path = text.path(entry.key), path.count == 4, path[3] == "file" else { return nil }
            return entry.text
        }
    }

    private func ask(_ provider: Provider, _ accounts: [String], _ kept: [Interface.StoredCredential]) throws {
        guard !yes else { return }
        guard let prompt = Prompt(interrupts: try Interrupts()) else {
            throw CommandFailure.noTerminal(
                to: "confirm it",
                advice: "to remove it without asking: postern provider remove \(ShellWord.quoted(provider.providerID)) --yes".plain)
        }
        prompt.say("\(provider.displayName) will be removed from the configuration.".plain)
        if !accounts.isEmpty { prompt.say("Its accounts will be removed, too: \(accounts.joined(separator: ", ")).".plain) }
        if let first = kept.first {
            let subject = kept.count == 1 ? first.calling : "\(kept.count) accounts"
            prompt.say("The tokens of \(subject) are revoked there and forgotten here.".plain)
            var apps: [String] = []
            for app in kept.lazy.flatMap(\.apps) where !apps.contains(app) && apps.count < 16 {
                apps.append(app)
            }
            if !apps.isEmpty { prompt.say("Apps whose users have them, too: \(apps.joined(separator: ", ")).".plain) }
        }
        guard try prompt.isYes("Remove it?", byDefault: false) else { throw AccountDialogue.declined }
    }
}
