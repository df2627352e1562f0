import PosternClient

/// A person's account at a provider, for people: whose it is, where, and the words by which a command means it.
struct AccountText: CustomStringConvertible {
    let account: Interface.StoredCredential
    /// The provider's own name.
    let providerName: String

    init(_ account: Interface.StoredCredential, at providerName: String) {
        self.account = account
        self.providerName = providerName
    }

    /// - Parameter providers: a provider that is not among them is named by its ID.
    init(_ account: Interface.StoredCredential, among providers: [Interface.Provider]) {
        self.init(account, at: providers.first { $0.providerID == account.providerID }?.displayName ?? account.providerID)
    }

    /// `Grace Hopper at Example Corp (account grace)`
    var description: String {
        let who = account.displayName ?? account.email ?? account.uid
        let name = Self.name(of: account)
        return "\(who) at \(providerName)\(name == who ? "" : " (account \(name))")".plain
    }

    /// Its name in the configuration, or else its address. The provider's identifier says nothing to people, and is used if there is no more.
    static func name(of account: Interface.StoredCredential) -> String { account.account ?? account.email ?? account.uid }

    /// The word that means this one alone: its name or address, or its identifier where another is called so, too.
    static func word(for account: Interface.StoredCredential, among rivals: [Interface.StoredCredential]) -> String {
        let name = name(of: account)
        return rivals.count { $0.isCalled(name) } == 1 ? name : account.uid
    }

    /// The words of a command by which it means this account: its name, that of the provider if it has no other, or both.
    ///
    /// - Parameters:
    ///   - kept: everything that is stored.
    ///   - option: that of the command for one of several accounts.
    static func words(
        for account: Interface.StoredCredential, among kept: [Interface.StoredCredential], option: String = "--account"
    ) -> String {
        if let name = account.account { return ShellWord.quoted(name) }
        let provider = ShellWord.quoted(account.providerID)
        guard kept.contains(where: { $0.providerID == account.providerID && $0.uid != account.uid }) else { return provider }
        return "\(provider) \(option) \(ShellWord.quoted(name(of: account)))"
    }
}

extension Interface.StoredCredential {
    /// The person keeps it for all programs. A daemon that does not say so knows of no other keeper.
    var isKeptByPerson: Bool { keptBy?.contains("") ?? true }

    /// The apps whose users have it.
    var apps: [String] { keptBy?.filter { !$0.isEmpty } ?? [] }

    func isAccount(_ other: Interface.StoredCredential) -> Bool { providerID == other.providerID && uid == other.uid }

    /// What people call it.
    var calling: String { email ?? displayName ?? uid }

    /// Whether this is its name, its address or its identifier.
    func isCalled(_ word: String) -> Bool {
        account == word || uid == word || (email.map { $0.lowercased() == word.lowercased() } ?? false)
    }
}
