import PosternClient
import PosternConfiguration
import ProgramOptions

struct AccountsRemove: DaemonCommand {
    static let name = "remove"
    static let abstract = "Sign out of an account, and take its name out of the configuration."
    static let discussion = """
        Forgets the account here, revokes its tokens at the provider if that is possible, and says both. It asks first; apps whose users \
        have the account are named.

        EXAMPLES
          postern accounts remove navy
          postern accounts remove ada@example.com --yes
          postern accounts remove navy --keep-grant
        """

    let account: String
    let keepGrant: Bool
    let yes: Bool
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        account = line.argument("account", .names(.ownAccounts), help: "The account, as postern accounts names it, or its address.")
        keepGrant = line.flag("keep-grant", help: "Do not revoke its tokens at the provider.")
        yes = line.flag("yes", help: "Do not ask.")
        common = line.connectionOptions()
    }

    func perform() throws {
        let connection = try connect()
        defer { connection.close() }
        let files = try AccountFiles(asking: connection)
        let kept = try connection.call(Interface.ListCredentials()).credentials
        let target = try NamedTarget(account, among: kept, try files.settings())
        func edits(_ settings: AccountSettings) -> [ConfigurationText.Edit] {
            guard let section = target.section, settings.account(named: section.name) != nil else { return [] }
            let isMeant = settings.meant(by: section.providerID) == section.name
            return [.unset(["account", section.name])] + (isMeant ? [.unset(["provider", section.providerID, "account"])] : [])
        }
        // If the section cannot go, nothing is revoked either.
        do { _ = try files.text().changes(edits(files.settings())) } catch { throw CommandFailure(editing: error) }
        let providerName = try ProviderName.look(up: target.providerID, socketPath: common.socketPath)
        try ask(target, providerName, after(target, among: kept, try files.settings()))
        if let credential = target.credential {
            let end = GrantEnd(connection: connection, keepsGrant: keepGrant)
            try StandardOutput.write(lines: end.end(credential, providerName: providerName))
        }
        try files.change(over: connection, edits)
        if let section = target.section {
            try StandardOutput.write(line: "[account.\(section.name)] is no longer in the configuration".plain)
        }
    }

    /// What the provider's name means without the account; nil if that changes nothing.
    private func after(_ target: NamedTarget, among kept: [StoredCredential], _ settings: AccountSettings) -> String? {
        guard let name = target.section?.name, settings.meant(by: target.providerID) == name else { return nil }
        let rest = kept.filter { $0.isKeptByPerson && $0.providerID == target.providerID && $0.account != name }
        guard let first = rest.first else { return nil }
        return rest.count == 1
            ? "\(target.providerID) means \(first.account ?? first.calling) from then on."
            : "\(target.providerID) could mean any of the other \(rest.count) accounts there from then on."
    }

    private func ask(_ target: NamedTarget, _ providerName: String, _ after: String?) throws {
        guard !yes else { return }
        guard let prompt = Prompt(interrupts: try Interrupts()) else {
            throw CommandFailure.noTerminal(
                to: "confirm it", advice: "to remove it without asking: postern accounts remove \(ShellWord.quoted(account)) --yes".plain)
        }
        if target.credential != nil {
            prompt.say(
                keepGrant
                    ? "This forgets \(target.calling) at \(providerName) here; its tokens stay valid there.".plain
                    : "This forgets \(target.calling) at \(providerName) here, and revokes its tokens there.".plain)
        }
        if let name = target.section?.name { prompt.say("[account.\(name)] will be removed from the configuration.".plain) }
        if let after { prompt.say(after.plain) }
        let apps = target.credential?.apps ?? []
        if !apps.isEmpty { prompt.say("Apps whose users have it, too: \(apps.joined(separator: ", ")).".plain) }
        guard try prompt.isYes("Remove it?", byDefault: false) else { throw AccountDialogue.declined }
    }
}
