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
        let kept = try connection.call(Interface.ListCredentials()).credentials.filter { uids.contains($0.uid) }
        guard kept.count > 1 else { return nil }
        prompt.say("several accounts at \(provider.plain) are stored here:")
        guard let chosen = try prompt.choice("which one?", among: kept.map(Self.line)) else {
            throw CommandFailure("no account was chosen", status: .declined)
        }
        return kept[chosen].uid
    }

    private static func line(_ credential: Interface.StoredCredential) -> String {
        let names = [credential.account, credential.email, credential.displayName].compactMap(\.self)
        return (names + [credential.uid]).joined(separator: ", ").plain
    }
}
