/// Whose token is meant: what configured names, logins and URLs say about the stored credentials.
public struct AccountDirectory: Sendable {
    public var accounts: [NamedAccount]
    /// By provider: the name of the account that the provider's own name means.
    public var meant: [String: String] = [:]

    public init(_ accounts: [NamedAccount] = []) { self.accounts = accounts }

    public subscript(name: String) -> NamedAccount? { accounts.first { $0.name == name } }

    /// The account that a provider's own name means; nil if its configuration does not say.
    public func meant(by providerID: String) -> NamedAccount? { meant[providerID].flatMap { self[$0] } }

    // MARK: Which credential

    /// Which of a provider's credentials a request means.
    public enum Choice: Sendable, Equatable {
        case one(StoredCredential)
        /// Nobody has signed in at the provider, or under that name or login.
        case none
        case several([StoredCredential])
    }

    /// The credential of a named account.
    public func choice(of account: NamedAccount, among credentials: [StoredCredential]) -> Choice {
        guard let login = account.login else { return latest(under: account.name, among: credentials) }
        // Whoever was confirmed under the name; others may have got its login as a name since.
        if let pinned = latest(among: credentials.filter { $0.isPinned(to: account) }) { return .one(pinned) }
        guard ExpectedAccount.isAddress(login) else { return choice(called: login, among: credentials) }
        let addressed = credentials.filter { $0.hasAddress(login) }
        // Where the provider says which addresses it has verified, the others are not.
        let saysSo = credentials.contains { $0.emailVerified != nil }
        return Self.choice(among: saysSo ? addressed.filter { $0.emailVerified == true } : addressed)
    }

    /// The credential of the last sign-in under the account's name.
    private func latest(under name: String, among credentials: [StoredCredential]) -> Choice {
        latest(among: credentials.filter { $0.signedInAs?.name == name }).map { .one($0) } ?? .none
    }

    private func latest(among credentials: [StoredCredential]) -> StoredCredential? {
        credentials.compactMap { credential in credential.signedInAs.map { (credential, $0.at) } }.max { $0.1 < $1.1 }?.0
    }

    /// The credential whose account has this name. One account's identifier may be what another is called: then nobody knows which is meant.
    public func choice(called login: String, among credentials: [StoredCredential]) -> Choice {
        Self.choice(among: credentials.filter { $0.isCalled(login) })
    }

    private static func choice(among called: [StoredCredential]) -> Choice {
        switch called.count {
        case 0: .none
        case 1: .one(called[0])
        default: .several(called)
        }
    }

    /// The named account that a credential belongs to; nil if no name claims it.
    ///
    /// - Parameter credentials: all of the provider's.
    public func owner(of credential: StoredCredential, among credentials: [StoredCredential]) -> NamedAccount? {
        owners(of: credentials, at: credential.providerID)[credential.subject]
    }

    /// The named accounts that claim credentials, by the credentials' subjects; if several claim one, the first.
    ///
    /// A provider may have thousands of credentials: they are searched once for each name, and not once for each of them.
    ///
    /// - Parameter credentials: all of the provider's.
    public func owners(of credentials: [StoredCredential], at providerID: String) -> [String: NamedAccount] {
        var owners: [String: NamedAccount] = [:]
        for account in accounts where account.providerID == providerID {
            guard case .one(let credential) = choice(of: account, among: credentials), owners[credential.subject] == nil else { continue }
            owners[credential.subject] = account
        }
        return owners
    }

    /// The configured account of a provider with this name, whether or not anybody has signed in to it.
    public func configured(called login: String, at providerID: String) -> NamedAccount? {
        accounts.first {
            $0.providerID == providerID && ($0.name == login || $0.login.map(EmailAddress.lowercased) == EmailAddress.lowercased(login))
        }
    }

    // MARK: The account for a URL

    /// An account whose tokens are for a URL.
    public struct Served: Sendable, Equatable {
        public var providerID: String
        /// Nil if nobody has signed in.
        public var credential: StoredCredential?
        public var account: NamedAccount?
        /// The configured URL that covers it.
        public var prefix: URLPrefix
    }

    /// The accounts whose tokens are for the URL, the closest match first; at equal distance those with a sign-in first, then by name.
    ///
    /// - Parameters:
    ///   - providers: with what their tokens are for.
    ///   - credentials: of one provider.
    public func served(
        _ url: URLPrefix.AskedURL, providers: [(id: String, serves: [URLPrefix])], credentials: (String) -> [StoredCredential]
    ) -> [Served] {
        var found: [(closeness: Int, served: Served)] = []
        for provider in providers {
            let own = accounts.filter { $0.providerID == provider.id }
            let matching = own.compactMap { account in
                let prefixes = account.prefixes.isEmpty ? provider.serves : account.prefixes
                return Self.closest(prefixes, to: url).map { (account: account, prefix: $0.0, closeness: $0.1) }
            }
            let general = Self.closest(provider.serves, to: url)
            // Most providers are not concerned.
            guard general != nil || !matching.isEmpty else { continue }
            let kept = credentials(provider.id)
            for (account, prefix, closeness) in matching {
                var credential: StoredCredential?
                if case .one(let one) = choice(of: account, among: kept) { credential = one }
                found.append((closeness, Served(providerID: provider.id, credential: credential, account: account, prefix: prefix)))
            }
            guard let (prefix, closeness) = general else { continue }
            let owners = owners(of: kept, at: provider.id)
            for credential in kept where owners[credential.subject] == nil {
                found.append((closeness, Served(providerID: provider.id, credential: credential, account: nil, prefix: prefix)))
            }
            // So that a program can say where to sign in.
            if kept.isEmpty, own.isEmpty {
                found.append((closeness, Served(providerID: provider.id, credential: nil, account: nil, prefix: prefix)))
            }
        }
        let ranked = found.enumerated().map { place, each in
            (rank: (-each.closeness, each.served.credential == nil ? 1 : 0, place), served: each.served)
        }
        return ranked.sorted { $0.rank < $1.rank }.map(\.served)
    }

    /// Whether an account's tokens are for the URL, if the account was named.
    ///
    /// - Parameters:
    ///   - account: the name that claims it; nil if none does.
    ///   - provider: what the provider's tokens are for.
    public func serves(_ url: URLPrefix.AskedURL, as account: NamedAccount?, of provider: [URLPrefix]) -> Bool {
        let own = account?.prefixes ?? []
        return Self.closest(own.isEmpty ? provider : own, to: url) != nil
    }

    private static func closest(_ prefixes: [URLPrefix], to url: URLPrefix.AskedURL) -> (URLPrefix, Int)? {
        prefixes.compactMap { prefix in prefix.closeness(to: url).map { (prefix, $0) } }.max { $0.1 < $1.1 }
    }
}
