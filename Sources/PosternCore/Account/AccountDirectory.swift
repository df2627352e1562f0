/// Whose token is meant: what configured names, logins and URLs say about the credentials that are kept.
public struct AccountDirectory: Sendable {
    public var accounts: [NamedAccount]

    public init(_ accounts: [NamedAccount] = []) { self.accounts = accounts }

    public subscript(name: String) -> NamedAccount? { accounts.first { $0.name == name } }

    // MARK: Which credential

    /// Those of a provider's credentials that a request means.
    public enum Choice: Sendable, Equatable {
        case one(StoredCredential)
        /// Nobody has signed in at the provider, or under that name or login.
        case none
        case several([StoredCredential])
    }

    /// The credential of a named account.
    public func choice(of account: NamedAccount, among credentials: [StoredCredential]) -> Choice {
        if let login = account.login { return choice(called: login, among: credentials) }
        let signedIn = credentials.compactMap { credential in credential.signedInAs.map { (credential, $0) } }
            .filter { $0.1.name == account.name }
            .max { $0.1.at < $1.1.at }
        return signedIn.map { .one($0.0) } ?? .none
    }

    /// The credential whose account is called so. The identifier is nobody else's, so it goes before the other names.
    public func choice(called login: String, among credentials: [StoredCredential]) -> Choice {
        if let exact = credentials.first(where: { $0.subject == login }) { return .one(exact) }
        return choice(among: credentials.filter { $0.isCalled(login) })
    }

    public func choice(among credentials: [StoredCredential]) -> Choice {
        switch credentials.count {
        case 0: .none
        case 1: .one(credentials[0])
        default: .several(credentials)
        }
    }

    /// The named account that a credential belongs to; nil where no name claims it.
    ///
    /// - Parameter credentials: all of the provider.
    public func owner(of credential: StoredCredential, among credentials: [StoredCredential]) -> NamedAccount? {
        accounts.first { account in
            guard account.providerID == credential.providerID else { return false }
            if let login = account.login { return choice(called: login, among: credentials) == .one(credential) }
            return choice(of: account, among: credentials) == .one(credential)
        }
    }

    // MARK: Which URL is whose

    /// An account whose tokens are for a URL.
    public struct Served: Sendable, Equatable {
        public var providerID: String
        /// Nil where nobody has signed in.
        public var credential: StoredCredential?
        public var account: NamedAccount?
        /// The configured URL that covers it.
        public var prefix: URLPrefix
    }

    /// Whose tokens are for the URL, the closest first; at the same distance those that somebody has signed in to, then by name.
    ///
    /// - Parameters:
    ///   - providers: with what their tokens are for.
    ///   - credentials: of one provider.
    public func served(
        _ url: URLPrefix.AskedURL, providers: [(id: String, serves: [URLPrefix])], credentials: (String) -> [StoredCredential]
    ) -> [Served] {
        var found: [(closeness: Int, served: Served)] = []
        for provider in providers {
            let kept = credentials(provider.id)
            let own = accounts.filter { $0.providerID == provider.id }
            for account in own {
                let prefixes = account.prefixes.isEmpty ? provider.serves : account.prefixes
                guard let (prefix, closeness) = Self.closest(prefixes, to: url) else { continue }
                var credential: StoredCredential?
                if case .one(let one) = choice(of: account, among: kept) { credential = one }
                found.append(
                    (closeness, Served(providerID: provider.id, credential: credential, account: account, prefix: prefix)))
            }
            guard let (prefix, closeness) = Self.closest(provider.serves, to: url) else { continue }
            for credential in kept where owner(of: credential, among: kept) == nil {
                // An account without a name of its own that one of the above stands for already.
                if found.contains(where: { $0.served.credential == credential && $0.closeness >= closeness }) { continue }
                found.append((closeness, Served(providerID: provider.id, credential: credential, account: nil, prefix: prefix)))
            }
            // So that a program can say where to sign in.
            if kept.isEmpty, own.isEmpty {
                found.append((closeness, Served(providerID: provider.id, credential: nil, account: nil, prefix: prefix)))
            }
        }
        return found.enumerated()
            .sorted { left, right in
                let (left, right) = ((left.element, left.offset), (right.element, right.offset))
                if left.0.closeness != right.0.closeness { return left.0.closeness > right.0.closeness }
                let signedIn = (left.0.served.credential != nil, right.0.served.credential != nil)
                return signedIn.0 == signedIn.1 ? left.1 < right.1 : signedIn.0
            }
            .map(\.element.served)
    }

    /// Whether a credential's tokens are for the URL, where the account was named and need not be found.
    public func serves(
        _ url: URLPrefix.AskedURL, _ credential: StoredCredential, as account: NamedAccount?, of provider: [URLPrefix],
        among credentials: [StoredCredential]
    ) -> Bool {
        let own = (account ?? owner(of: credential, among: credentials))?.prefixes ?? []
        return Self.closest(own.isEmpty ? provider : own, to: url) != nil
    }

    private static func closest(_ prefixes: [URLPrefix], to url: URLPrefix.AskedURL) -> (URLPrefix, Int)? {
        prefixes.compactMap { prefix in prefix.closeness(to: url).map { (prefix, $0) } }.max { $0.1 < $1.1 }
    }
}
