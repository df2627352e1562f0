/// An account at a provider that the configuration gives a name, `[account.NAME]`.
public struct NamedAccount: Sendable, Hashable {
    public var name: String
    public var providerID: String
    /// The account's identifier at the provider, its address or its user name; nil: whoever signed in under the name last.
    public var login: String?
    /// Where its tokens are for; empty: wherever the provider's are.
    public var prefixes: [URLPrefix]
    /// Asked for where a sign-in under the name gives none; empty: the provider's.
    public var scopes: [String]
    /// What its tokens are for (RFC 8707).
    public var resource: String?
    /// Renewed even where nobody asks, so that its refresh token does not die of disuse.
    public var keepsFresh: Bool

    public init(
        name: String, providerID: String, login: String? = nil, prefixes: [URLPrefix] = [], scopes: [String] = [], resource: String? = nil,
        keepsFresh: Bool = false
    ) {
        self.name = name
        self.providerID = providerID
        self.login = login
        self.prefixes = prefixes
        self.scopes = scopes
        self.resource = resource
        self.keepsFresh = keepsFresh
    }
}

extension NamedAccount {
    /// What a sign-in under the name asks for, where a program does not say; nil: what the provider's does.
    public var scopesToAskFor: [String]? { scopes.isEmpty ? nil : scopes }

    /// What a sign-in under the name adds to the authorization request.
    public func parameters(at provider: Provider) -> [String: String] {
        guard let resource, !provider.extensions.resources.contains(resource) else { return [:] }
        return ["resource": resource]
    }
}

extension StoredCredential {
    /// The account is called so: exactly its identifier or its user name, or its address in whatever letter case.
    public func isCalled(_ login: String) -> Bool {
        subject == login || username == login || email.map { $0.lowercased() == login.lowercased() } == true
    }

    /// For people: the name by which they know it.
    public var calling: String { email ?? username ?? displayName ?? subject }
}

/// When somebody signed in under an account's name that has no `login`.
public struct SignInName: Sendable, Hashable {
    public var name: String
    public var at: Timestamp

    public init(name: String, at: Timestamp) {
        self.name = name
        self.at = at
    }
}
