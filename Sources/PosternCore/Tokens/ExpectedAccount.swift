/// Compares the account that was asked for (`login`, `loginHint`) with the one that signed in.
///
/// Providers treat a hint as a wish: a browser that is signed in with another account may well return that one. And a person may have chosen
/// a user name that looks like somebody's address, or entered an address that nobody has checked.
public enum ExpectedAccount {
    public enum Verdict: Sendable, Equatable {
        case asked
        /// Nothing says that it is another, and nothing certain that it is the one.
        case unsure
        case other
    }

    /// - Parameters:
    ///   - hint: what was asked for.
    ///   - kind: which of the provider's names for accounts it is; nil: any.
    ///   - isUserName: the hint is the provider's name for an account, not a guess at it.
    ///   - pinned: the subject that was confirmed under the name that was asked for; nil if none was yet.
    ///   - known: the accounts at the same provider that are stored here.
    public static func verdict(
        on identity: Identity, askedFor hint: String, as kind: AccountLogin.Kind? = nil, isUserName: Bool = false, pinned: String? = nil,
        known: [Identity]
    ) -> Verdict {
        if let pinned { return identity.subject.isSame(pinned) ? .asked : .other }
        // What an account was called here before counts as well: names are reassigned and accounts are renamed.
        let certain = known.filter { isCertainly(hint, $0, as: kind) }
        if !certain.isEmpty { return certain.contains { $0.subject.isSame(identity.subject) } ? .asked : .other }
        if isCertainly(hint, identity, as: kind) { return .asked }
        // Every account has one.
        if kind == .id { return .other }
        // If two accounts share a mailbox but for a tag, the one spelt exactly so is meant.
        let spelt = known.filter { spells(hint, $0, as: kind) }
        let possible = spelt.isEmpty ? known.filter { isPerhaps(hint, $0, as: kind) } : spelt
        if possible.contains(where: { $0.subject.isSame(identity.subject) }) { return .unsure }
        guard isPerhaps(hint, identity, as: kind), spelt.isEmpty || spells(hint, identity, as: kind) else {
            return possible.isEmpty && !isComparable(identity, with: hint, isUserName: isUserName) ? .unsure : .other
        }
        // A provider that says which addresses it has verified would say so of this one.
        return identity.emailVerified == nil && known.contains { $0.emailVerified != nil } ? .other : .unsure
    }

    /// What a user calls the account.
    public static func name(of identity: Identity) -> String {
        identity.email ?? identity.username ?? identity.displayName ?? identity.subject
    }

    // MARK: Names

    /// It is the account's identifier or user name; or its address, and the provider says that it has verified it.
    ///
    /// Accounts with a user name or an identifier that looks like an address are not meant by that address: people choose user names.
    private static func isCertainly(_ hint: String, _ identity: Identity, as kind: AccountLogin.Kind?) -> Bool {
        switch kind {
        case .id: return hint.isSame(identity.subject)
        case .user: return isSameName(hint, identity.username)
        case .address, nil: break
        }
        guard kind == .address || address(hint) != nil else { return hint.isSame(identity.subject) || isSameName(hint, identity.username) }
        return identity.emailVerified == true && isSameName(hint, identity.email)
    }

    /// It may be one of the account's names.
    private static func isPerhaps(_ hint: String, _ identity: Identity, as kind: AccountLogin.Kind?) -> Bool {
        guard kind != .user, let asked = address(hint) else { return isCertainly(hint, identity, as: kind) }
        if hint.isSame(identity.subject) { return true }
        return [identity.addressNotDenied, identity.username].contains { $0.flatMap(address)?.isSame(asked) ?? false }
    }

    /// It is exactly one of the account's names, as far as the provider does not deny it.
    private static func spells(_ hint: String, _ identity: Identity, as kind: AccountLogin.Kind?) -> Bool {
        if kind == .user { return isSameName(hint, identity.username) }
        return hint.isSame(identity.subject) || isSameName(hint, identity.addressNotDenied) || isSameName(hint, identity.username)
    }

    /// The account has a name of the same kind, so one that differs is another account's.
    private static func isComparable(_ identity: Identity, with hint: String, isUserName: Bool) -> Bool {
        guard address(hint) != nil else { return isUserName && identity.username != nil }
        // Some providers use their addresses as the user name (Entra's user principal name).
        return [identity.email, identity.username].contains { $0.flatMap(address) != nil }
    }

    private static func isSameName(_ hint: String, _ name: String?) -> Bool {
        name.map { EmailAddress.lowercased($0).isSame(EmailAddress.lowercased(hint)) } ?? false
    }

    /// The mailbox of an address: letter case, a `+tag` and Google's other domain make no difference. Nil if the text is not an address.
    private static func address(_ text: String) -> String? {
        guard let text = ProfileDocument.emailAddress(text).map(EmailAddress.lowercased), let at = text.unicodeScalars.firstIndex(of: "@")
        else {
            return nil
        }
        let domain = text.after(at)
        guard domain.unicodeScalars.contains(".") else { return nil }
        let mailbox = text[..<at].before { $0 == "+" }
        return "\(mailbox)@\(domain == "googlemail.com" ? "gmail.com" : domain)"
    }

}

extension Identity {
    /// Nil if the provider itself says that it has not verified it.
    fileprivate var addressNotDenied: String? { emailVerified == false ? nil : email }

    /// The account of a stored credential.
    public init(_ credential: StoredCredential) {
        self.init(
            providerID: credential.providerID, subject: credential.subject, displayName: credential.displayName, email: credential.email,
            emailVerified: credential.emailVerified, username: credential.username)
    }
}
