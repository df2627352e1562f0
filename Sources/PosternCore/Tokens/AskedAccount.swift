/// Whose sign-in is asked for, by the name or the hint that a program gives.
public struct AskedAccount: Sendable, Hashable {
    /// The configured name; nil if the provider's was given.
    public var name: String?
    /// Whose the name is; nil if the configuration does not say.
    public var login: AccountLogin?
    public var hint: String
    /// The provider calls accounts by such hints.
    public var isUserName: Bool

    public init(name: String? = nil, login: AccountLogin? = nil, hint: String, isUserName: Bool) {
        self.name = name
        self.login = login
        self.hint = hint
        self.isUserName = isUserName
    }

    /// Whether an account is the one, as far as is known now.
    ///
    /// - Parameters:
    ///   - credentials: all that are stored of its provider.
    ///   - users: identities at its provider that users of apps have.
    public func verdict(on identity: Identity, among credentials: [StoredCredential], users: [Identity]) -> ExpectedAccount.Verdict {
        var pinned: StoredCredential?
        if let name, let login {
            let account = NamedAccount(name: name, providerID: identity.providerID, login: login)
            pinned = credentials.first { $0.isPinned(to: account) }
        }
        let known = users + credentials.map(Identity.init)
        return ExpectedAccount.verdict(
            on: identity, askedFor: hint, as: login?.kind(among: (known + [identity]).map(\.subject)), isUserName: isUserName,
            pinned: pinned?.subject, known: known)
    }
}
