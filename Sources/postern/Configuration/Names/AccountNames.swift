import PosternClient
import PosternConfiguration

/// Gives stored accounts names in the configuration.
struct AccountNames {
    /// A name for one stored account.
    struct Naming {
        var name: String
        var credential: Interface.StoredCredential
    }

    let files: AccountFiles
    let connection: PosternConnection

    init(over connection: PosternConnection) throws {
        self.connection = connection
        files = try AccountFiles(asking: connection)
    }

    /// Writes a section for each, with its `login`.
    ///
    /// - Parameter further: what else is to be written with them.
    /// - Returns: the lines that were written, for the person.
    @discardableResult
    func write(_ namings: [Naming], further: (AccountSettings) throws -> [ConfigurationText.Edit] = { _ in [] }) throws -> [String] {
        let kept = try credentials()
        let lines = try files.change(over: connection) { settings in
            var edits: [ConfigurationText.Edit] = []
            for naming in namings {
                try Self.check(naming.name, settings)
                edits.append(.set(["account", naming.name, "provider"], .text(naming.credential.providerID)))
                edits.append(.set(["account", naming.name, "login"], Self.login(of: naming.credential, among: kept)))
            }
            return edits + (try further(settings))
        }
        return try secure(namings) ?? lines
    }

    /// Where the daemon does not recognise an account by its address, as when the provider denies it, the account's identifier takes its
    /// place.
    ///
    /// - Returns: what was changed; nil if nothing.
    @discardableResult
    func secure(_ namings: [Naming]) throws -> [String]? {
        let kept = try credentials()
        let missed = namings.filter { naming in
            kept.contains { $0.isAccount(naming.credential) && $0.account != naming.name }
        }
        guard !missed.isEmpty else { return nil }
        return try files.change(over: connection) { _ in
            missed.map { .set(["account", $0.name, "login"], .identifier($0.credential.uid)) }
        }
    }

    func credentials() throws -> [Interface.StoredCredential] { try connection.call(Interface.ListCredentials()).credentials }

    static func check(_ name: String, _ settings: AccountSettings) throws(CommandFailure) {
        guard let mistake = settings.mistake(inNewName: name) else { return }
        throw CommandFailure(
            "\"\(name)\": \(mistake)".plain, status: .wrongUsage, advice: "postern accounts lists the names that are taken")
    }

    /// The address, which people know and providers take as a hint; of two accounts with one address, the identifier.
    static func login(of credential: Interface.StoredCredential, among kept: [Interface.StoredCredential]) -> ConfigurationValue {
        guard let email = credential.email else { return .identifier(credential.uid) }
        let isShared = kept.contains {
            $0.providerID == credential.providerID && $0.uid != credential.uid && $0.email?.lowercased() == email.lowercased()
        }
        return isShared ? .identifier(credential.uid) : .text(email)
    }
}

/// The account that a word of the command line means.
struct NamedTarget {
    var providerID: String
    /// Nil if nobody has signed in to it.
    var credential: Interface.StoredCredential?
    /// Nil if it has no section in the configuration.
    var section: AccountSettings.Account?

    /// - Parameter word: a configured name; a provider's, if it means one account; or an address, an identifier or a person's name.
    init(_ word: String, among kept: [Interface.StoredCredential], _ settings: AccountSettings) throws(CommandFailure) {
        guard !word.isEmpty else { throw CommandFailure.empty("the account's name", advice: "postern accounts shows the names") }
        let own = kept.filter(\.isKeptByPerson)
        let name = settings.account(named: word) == nil ? settings.meant(by: word) ?? word : word
        if let section = settings.account(named: name) {
            self.init(providerID: section.providerID, credential: kept.first { $0.account == section.name }, section: section)
            return
        }
        var meant = own.filter { $0.providerID == word }
        if meant.isEmpty { meant = own.filter { $0.uid == word || $0.email?.lowercased() == word.lowercased() } }
        if meant.isEmpty { meant = own.filter { $0.displayName == word } }
        guard let credential = meant.first else {
            let other = kept.first { [$0.providerID, $0.uid, $0.email].contains(word) }
            let apps = other?.apps.joined(separator: ", ") ?? ""
            throw CommandFailure(
                (other == nil
                    ? "you have no account called \"\(word)\""
                    : "\(word) is kept only for users of \(apps), and is none of your accounts").plain,
                status: .wrongUsage, advice: "postern accounts shows all")
        }
        guard meant.count == 1 else {
            let words = meant.map { account in
                let isAlone = own.count { $0.providerID == account.providerID } == 1
                return ShellWord.quoted(account.account ?? (isAlone ? account.providerID : AccountText.word(for: account, among: meant)))
            }.joined(separator: ", ")
            throw CommandFailure(
                "\(word) may be any of \(meant.count) accounts".plain, status: .wrongUsage, advice: "say which: \(words)".plain)
        }
        self.init(providerID: credential.providerID, credential: credential, section: credential.account.flatMap(settings.account(named:)))
    }

    private init(providerID: String, credential: Interface.StoredCredential?, section: AccountSettings.Account?) {
        self.providerID = providerID
        self.credential = credential
        self.section = section
    }

    /// For people.
    var calling: String { credential?.calling ?? section?.name ?? providerID }
}

/// Ends the grants of stored accounts, and says how.
struct GrantEnd {
    let connection: PosternConnection
    let keepsGrant: Bool

    /// - Returns: what became of it, for the person.
    func end(_ credential: Interface.StoredCredential, providerName: String) throws -> [String] {
        let reply = try connection.call(
            Interface.RevokeCredential(
                providerID: credential.providerID, uid: credential.uid, keepGrant: keepsGrant ? true : nil))
        let lines = RevocationText.lines(of: reply, at: providerName, keepsGrant: keepsGrant)
        let subject = "\(AccountText(credential, at: providerName)): "
        return lines.enumerated().map { (($0.offset == 0 ? subject : "") + $0.element).plain }
    }
}
