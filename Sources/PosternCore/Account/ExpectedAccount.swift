/// Compares the account that a program asked for (`loginHint`) with the one that signed in.
///
/// Providers treat a hint as a wish: a browser that is signed in with another account may well return that one.
public enum ExpectedAccount {
    /// - Parameters:
    ///   - hint: what the program gave.
    ///   - isUserName: the hint is the provider's name for an account, not a guess at it.
    ///   - known: the identities at the same provider that are stored here.
    /// - Returns: whether clearly another account signed in. A hint that names no account, or an identity without a name to compare, is no
    ///   reason to refuse anybody.
    public static func isOther(_ identity: Identity, thanAskedFor hint: String, isUserName: Bool = false, known: [Identity]) -> Bool {
        // If two accounts share a mailbox but for a tag, the one spelt exactly so is meant.
        let spelt = known.filter { spells(hint, $0) }
        if !spelt.isEmpty, !spells(hint, identity), !spelt.contains(where: { $0.subject == identity.subject }) { return true }
        guard !names(hint, identity) else { return false }
        // Names are reassigned and accounts are renamed; what an account was called here before counts as well.
        let meant = known.filter { names(hint, $0) }
        if !meant.isEmpty { return !meant.contains { $0.subject == identity.subject } }
        guard address(hint) != nil else { return isUserName && identity.username != nil }
        // Compare an address with an address. Some providers use theirs as the user name (Entra's user principal name).
        return [identity.email, identity.username].compactMap { $0.flatMap(address) }.isEmpty == false
    }

    /// What a user calls the account.
    public static func name(of identity: Identity) -> String {
        identity.email ?? identity.username ?? identity.displayName ?? identity.subject
    }

    /// The hint is exactly one of the account's names.
    public static func spells(_ hint: String, _ identity: Identity) -> Bool {
        hint == identity.subject || [identity.email, identity.username].contains { $0?.lowercased() == hint.lowercased() }
    }

    private static func names(_ hint: String, _ identity: Identity) -> Bool {
        if hint == identity.subject || hint.lowercased() == identity.username?.lowercased() { return true }
        guard let asked = address(hint) else { return false }
        return [identity.email, identity.username].contains { $0.flatMap(address) == asked }
    }

    /// The mailbox of an address: letter case, a `+tag` and Google's other domain make no difference. Nil if the text is not an address.
    private static func address(_ text: String) -> String? {
        guard let text = ProfileDocument.emailAddress(text)?.lowercased(), let at = text.firstIndex(of: "@") else { return nil }
        let domain = text[text.index(after: at)...]
        guard domain.contains(".") else { return nil }
        let mailbox = text[..<at].prefix { $0 != "+" }
        return "\(mailbox)@\(domain == "googlemail.com" ? "gmail.com" : domain)"
    }
}
