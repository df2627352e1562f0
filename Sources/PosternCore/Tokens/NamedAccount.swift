/// An account at a provider that has a name in the configuration, `[account.NAME]`.
public struct NamedAccount: Sendable, Hashable {
    public var name: String
    public var providerID: String
    /// The account's identifier at the provider, its address or its user name; nil: the account that signed in under the name last.
    public var login: AccountLogin?
    /// The provider says nothing about the person, so `login` is only a hint for its page.
    public var isLoginHint = false
    /// What its tokens are for, besides what the provider's are for.
    public var prefixes: [URLPrefix] = []
    /// Its tokens are for nothing else, not even for what the provider's are for.
    public var isForTheseOnly = false
    /// Requested if a sign-in under the name gives none; empty: the provider's.
    public var scopes: [String] = []
    /// The resource that its tokens are for (RFC 8707).
    public var resource: String?
    /// Renewed even if nobody asks, so that its refresh token does not expire from disuse.
    public var keepsFresh = false
    /// Why the name cannot be used, as a sentence: a mistake in a file that is not the user's.
    public var problem: String?
}

extension NamedAccount {
    public init(name: String, providerID: String, login: AccountLogin? = nil) {
        self.init(name: name, providerID: providerID, login: login, prefixes: [])
    }

    /// The `login` that the account is recognized by; nil if there is none, or nothing could be compared with it.
    public var knownLogin: AccountLogin? { isLoginHint ? nil : login }

    /// What a sign-in under the name requests, if a program does not say; nil: what the provider's does.
    public var scopesToAskFor: [String]? { scopes.isEmpty ? nil : scopes }

    /// What a sign-in under the name adds to the authorization request.
    public func parameters(at provider: Provider) -> [String: String] {
        guard let resource, !provider.extensions.resources.contains(resource) else { return [:] }
        return ["resource": resource]
    }
}

extension AccountDirectory {
    /// The name that a sign-in keeps under these sections.
    ///
    /// It belongs to the section that it was made for. A section that was given another name is recognized by its `login`. Where the section
    /// is gone, so is the name: one that is configured anew means nobody yet.
    public func kept(_ name: SignInName, at providerID: String) -> SignInName? {
        let section = self[name.name].flatMap { $0.providerID == providerID ? $0 : nil }
        guard let login = name.login, section?.knownLogin != login,
            let renamed = accounts.first(where: { $0.providerID == providerID && $0.knownLogin == login })
        else { return section == nil ? nil : name }
        var name = name
        name.name = renamed.name
        return name
    }
}

extension StoredCredential {
    /// Whether this is the account's name: exactly its identifier or its user name, or its address in any letter case of ASCII, unless the
    /// provider says that it has not verified it.
    public func isCalled(_ login: String) -> Bool {
        subject.utf8.elementsEqual(login.utf8) || username?.utf8.elementsEqual(login.utf8) ?? false || hasAddress(login)
    }

    /// Its address is this one, in any letter case of ASCII, and the provider does not deny it.
    public func hasAddress(_ login: String) -> Bool {
        emailVerified != false && email.map { EmailAddress.isSame(EmailAddress.lowercased($0), EmailAddress.lowercased(login)) } ?? false
    }

    /// Somebody signed in under this name, with this login, and it was their account.
    public func isPinned(to account: NamedAccount) -> Bool {
        guard let login = account.knownLogin, let signedInAs else { return false }
        return signedInAs.name == account.name && signedInAs.login == login
    }

    /// What tells the provider's page whose sign-in this is.
    public func loginHint(at provider: Provider) -> String? {
        username.flatMap { provider.dialect.isUserName($0) ? $0 : nil } ?? email
    }

    /// For display: the name by which people know it.
    public var calling: String { email ?? username ?? displayName ?? subject }
}
