import PosternClient
import PosternConfiguration
import ProgramOptions

struct AccountsRename: DaemonCommand {
    static let name = "rename"
    static let abstract = "Give an account a name, or another one."
    static let discussion = """
        The name is in the configuration, as [account.NAME]. An account that has none yet is given by its address, its identifier, or \
        its provider's name, if that means it. What a provider's own name means stays the same account.

        EXAMPLES
          postern accounts rename grace navy
          postern accounts rename ada@example.com ada
        """

    let old: String
    let new: String
    let common: CommonOptions

    init(_ line: inout OptionReader) {
        old = line.argument("account", .names(.ownAccounts), help: "The account, as postern accounts names it, or its address.")
        new = line.argument("name", help: "Its new name: a to z, 0 to 9, full stop, - and _.")
        common = line.connectionOptions()
    }

    func perform() throws {
        let connection = try connect()
        defer { connection.close() }
        let names = try AccountNames(over: connection)
        let kept = try names.credentials()
        let target = try NamedTarget(old, among: kept, try names.files.settings())
        if let section = target.section {
            guard section.name != new else { return StandardError.note("it is called \(new) already".plain) }
            try names.files.change(over: connection) { settings in
                try AccountNames.check(new, settings)
                var edits: [ConfigurationText.Edit] = []
                // Without one it is known only by its name.
                if let credential = target.credential, section.login == nil {
                    edits.append(.set(["account", section.name, "login"], AccountNames.login(of: credential, among: kept)))
                }
                edits.append(.rename(["account", section.name], to: new))
                if settings.meant(by: section.providerID) == section.name {
                    edits.append(.set(["provider", section.providerID, "account"], .text(new)))
                }
                return edits
            }
            if let credential = target.credential { try names.secure([AccountNames.Naming(name: new, credential: credential)]) }
        } else if let credential = target.credential {
            try names.write([AccountNames.Naming(name: new, credential: credential)])
        }
        try StandardOutput.write(line: "\(target.calling) is called \(new) now".plain)
    }
}
