import PosternClient

/// Asks the user at the terminal which of several accounts is meant.
struct AccountPicker {
    let connection: PosternConnection
    /// As on the command line.
    let provider: String

    /// - Returns: the account's identifier; nil if nobody can be asked.
    /// - Throws: ``CommandFailure`` if the user chose none.
    func pick(among uids: [String]) throws -> String? {
        let interrupts = try Interrupts()
        guard let prompt = Prompt(interrupts: interrupts) else { return nil }
        let kept = Self.meant(uids, at: provider, among: try connection.call(Interface.ListCredentials()).credentials)
        guard kept.count > 1 else { return nil }
        prompt.say("several accounts at \(provider.plain) are stored here:")
        guard let chosen = try prompt.choice("which one?", among: kept.map(Self.line)) else {
            throw CommandFailure("no account was chosen", status: .declined)
        }
        return kept[chosen].uid
    }

    /// The accounts with these identifiers at one provider: another provider may have given the same identifiers to other people.
    ///
    /// - Parameter provider: its ID, or the name of an account there, which means the one provider that has them all.
    /// - Returns: nothing if it is unclear which provider is meant.
    static func meant(
        _ uids: [String], at provider: String, among credentials: [Interface.StoredCredential]
    ) -> [Interface.StoredCredential] {
        let alike = Dictionary(grouping: credentials.filter { uids.contains($0.uid) }, by: \.providerID)
        if let own = alike[provider] { return own }
        let complete = alike.values.filter { Set($0.map(\.uid)) == Set(uids) }
        return complete.count == 1 ? complete[0] : []
    }

    private static func line(_ credential: Interface.StoredCredential) -> String {
        let names = [credential.account, credential.email, credential.displayName].compactMap(\.self)
        return (names + [credential.uid]).joined(separator: ", ").plain
    }
}

extension CommandFailure {
    /// - Parameter provider: as on the command line.
    func offeringAccounts(at provider: String, socketPath: String) -> CommandFailure {
        offeringAccounts(AccountPicker.meant(rivals ?? [], at: provider, among: Self.credentials(at: socketPath)))
    }
}
