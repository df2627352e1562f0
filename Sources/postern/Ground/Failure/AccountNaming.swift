import PosternClient
import TOML

/// How to give one of several accounts at a provider a name of its own, which every command accepts.
enum AccountNaming {
    static let emptyOption = "is empty: give an identifier, an address or a user name, or leave the option out"

    /// Whether the daemon's sentence names the command that decides, as it does for a URL.
    static func isDecided(by sentence: String) -> Bool { sentence.holds("or decide with `") }

    /// - Parameters:
    ///   - name: the requested name; nil if it is not known.
    ///   - use: what to do if it is not known.
    ///   - accounts: the names in the configuration.
    ///   - kept: what is stored, so that an account is offered by its address.
    static func advice(
        of name: String?, uids: [String], use: String = "use NAME",
        accounts: @autoclosure () -> [String] = NamesFile()?.list.accounts ?? [],
        kept: @autoclosure () -> [Interface.StoredCredential] = CommandFailure.credentials(at: SocketPath.current)
    ) -> String? {
        guard !uids.isEmpty else { return nil }
        let (kept, accounts) = (kept(), accounts())
        let rivals = kept.filter { uids.contains($0.uid) }
        let words = uids.map { uid in
            let email = Set(rivals.filter { $0.uid == uid }.map(\.email)).count == 1 ? rivals.first { $0.uid == uid }?.email : nil
            // An address that several have says nothing.
            guard let email, rivals.count(where: { $0.isCalled(email) }) == 1 else { return uid }
            return email
        }
        // They become words of the command, and the provider chose them.
        let (choice, identifiers) = (either(words.map(ShellWord.quoted)), either(uids.map(ShellWord.quoted)))
        if let name, accounts.contains(name) {
            let key = "account.\(TOMLText.key(name)).login"
            return "say which one it is: postern config set \(ShellWord.quoted(key)) '{ id = \"ID\" }', where ID is \(identifiers)"
        }
        let then = "then " + (name.map { "use NAME in place of \($0)" } ?? use)
        if zip(words, uids).allSatisfy({ canBeNamed($0, uid: $1, among: kept, accounts) }) {
            guard words.count > 1 else { return "give it a name: postern accounts rename \(choice) NAME; \(then)" }
            return "give one a name: postern accounts rename ACCOUNT NAME, where ACCOUNT is \(choice); \(then)"
        }
        let provider = name.map(ShellWord.quoted) ?? "PROVIDER"
        return "give one a name: postern config set account.NAME.provider \(provider) && "
            + "postern config set account.NAME.login '{ id = \"ID\" }', where ID is \(identifiers); \(then)"
    }

    /// Whether `accounts rename` would give this one its first name: it renames only what the person keeps, and takes a word for a name or
    /// a provider first.
    private static func canBeNamed(_ word: String, uid: String, among kept: [Interface.StoredCredential], _ accounts: [String]) -> Bool {
        guard !accounts.contains(word), !kept.contains(where: { $0.providerID == word || $0.account == word }) else { return false }
        let meant = kept.filter { $0.isKeptByPerson && $0.isCalled(word) }
        return meant.count == 1 && meant[0].uid == uid && meant[0].account == nil
    }

    private static func either(_ words: [String]) -> String {
        words.count == 1 ? words[0] : "\(words.dropLast().joined(separator: ", ")) or \(words[words.count - 1])"
    }

    /// If a provider or a configured name was expected, and an account's address or identifier was given.
    ///
    /// - Returns: nil if no stored account has this address or identifier.
    static func advice(called word: String, among kept: [Interface.StoredCredential]) -> String? {
        let meant = kept.filter { $0.uid == word || $0.email == word }
        guard let first = meant.first else { return nil }
        let names = meant.compactMap { credential in
            credential.account ?? (kept.filter { $0.providerID == credential.providerID }.count == 1 ? credential.providerID : nil)
        }
        guard !names.isEmpty else {
            let naming = advice(of: first.providerID, uids: [first.uid], accounts: [], kept: kept) ?? ""
            return "\(word) is one of several accounts at \(first.providerID); \(naming)"
        }
        let choice = names.map(ShellWord.quoted).joined(separator: " or ")
        return "\(word) is an account at \(meant.map(\.providerID).joined(separator: " and ")); use \(choice)"
    }
}

extension CommandFailure {
    /// The account whose address was given where a name or a provider was expected. Those go first: the daemon has said that it is neither.
    ///
    /// - Returns: the words for the daemon; nil if it is the address of no account that the person keeps.
    /// - Throws: if several have it.
    func accountAddressed(
        _ word: String, among kept: @autoclosure () -> [Interface.StoredCredential]
    ) throws(CommandFailure) -> (providerID: String, account: String?)? {
        guard reply?.name.ends(with: ".ProviderNotFound") == true, reply?.parameters["providerID"]?.stringValue == word,
            word.unicodeScalars.contains("@")
        else { return nil }
        let kept = kept()
        let meant = kept.filter { $0.isKeptByPerson && $0.email?.lowercased() == word.lowercased() }
        guard let only = meant.first else { return nil }
        guard meant.count == 1 else {
            let choices = meant.map { account in
                let rivals = kept.filter { $0.providerID == account.providerID }
                guard account.account == nil, rivals.count > 1 else { return ShellWord.quoted(account.account ?? account.providerID) }
                let word = AccountText.word(for: account, among: rivals)
                return "\(ShellWord.quoted(account.providerID)) --account \(ShellWord.quoted(word))"
            }
            throw CommandFailure(
                "\(word) is the address of \(meant.count) accounts".plain, status: .wrongUsage,
                advice: "say which: \(choices.joined(separator: ", "))".plain)
        }
        guard let name = only.account else { return (only.providerID, word) }
        return (name, nil)
    }
}
