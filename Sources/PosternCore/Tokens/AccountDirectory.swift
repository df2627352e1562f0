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
        guard let login = account.knownLogin else { return latest(under: account.name, among: credentials) }
        // Whoever was confirmed under the name; others may have got its login as a name since.
        if let pinned = latest(among: credentials.filter { $0.isPinned(to: account) }) { return .one(pinned) }
        switch login.kind(among: credentials.map(\.subject)) {
        case .id: return Self.choice(among: credentials.filter { $0.subject.utf8.elementsEqual(login.text.utf8) })
        case .user: return Self.choice(among: credentials.filter { $0.username?.utf8.elementsEqual(login.text.utf8) ?? false })
        case .address: break
        }
        let addressed = credentials.filter { $0.hasAddress(login.text) }
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

    static func choice(among called: [StoredCredential]) -> Choice {
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
        owners(of: credentials, at: credential.providerID)[CredentialKey(credential)]
    }

    /// The named accounts that claim credentials, by what they claim; if several claim one, the first.
    ///
    /// A provider may have thousands of credentials: they are searched once for each name, and not once for each of them.
    ///
    /// - Parameter credentials: all of the provider's.
    public func owners(of credentials: [StoredCredential], at providerID: String) -> [CredentialKey: NamedAccount] {
        var owners: [CredentialKey: NamedAccount] = [:]
        for account in accounts where account.providerID == providerID {
            guard case .one(let credential) = choice(of: account, among: credentials) else { continue }
            let key = CredentialKey(credential)
            if owners[key] == nil { owners[key] = account }
        }
        return owners
    }

    /// The configured account of a provider with this name, whether or not anybody has signed in to it.
    public func configured(called login: String, at providerID: String) -> NamedAccount? {
        accounts.first {
            $0.providerID == providerID
                && ($0.name == login || $0.login.map { EmailAddress.lowercased($0.text).isSame(EmailAddress.lowercased(login)) } ?? false)
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
        /// The provider's tokens are for it anyway, by a URL that is built in: `for` says whose, and chooses no server.
        public var isBuiltIn: Bool
        /// How near it is, from 1 for the closest: accounts of one rank are equally close.
        public var rank: Int
    }

    /// What a provider's tokens are for.
    public typealias ServingProvider = (id: String, serves: [URLPrefix])

    /// The accounts whose tokens are for the URL, the closest first; of those that are equally close, those with a sign-in first, then in
    /// the order of the configuration.
    ///
    /// - Parameter credentials: of one provider.
    public func served(
        _ url: URLPrefix.AskedURL, providers: [ServingProvider], credentials: (String) -> [StoredCredential]
    ) -> [Served] {
        var found: [(distance: Distance, served: Served)] = []
        for provider in providers {
            let own = accounts.filter { $0.providerID == provider.id }
            let general = Self.closest(provider.serves, to: url)
            let matching = own.compactMap { account in Self.match(url, account, general).map { (account: account, match: $0) } }
            // Most providers are not concerned.
            guard general != nil || !matching.isEmpty else { continue }
            let kept = credentials(provider.id)
            let meant = self.meant[provider.id].flatMap { name in matching.first { $0.account.name == name } }
            func add(_ match: Match, _ credential: StoredCredential?, _ account: NamedAccount?) {
                // The others are as close as the one that the provider's name means, and no closer than anybody else.
                let yields = meant.map { $0.match.closeness == match.closeness && $0.account != account } ?? false
                let served = Served(
                    providerID: provider.id, credential: credential, account: account, prefix: match.prefix,
                    isBuiltIn: general?.0.isBuiltIn ?? false, rank: 0)
                found.append((Distance(match.closeness, yields ? 1 : 0), served))
            }
            for (account, match) in matching {
                var credential: StoredCredential?
                if case .one(let one) = choice(of: account, among: kept) { credential = one }
                add(match, credential, account)
            }
            guard let match = Self.match(url, nil, general) else { continue }
            let owners = owners(of: kept, at: provider.id)
            for credential in kept where owners[CredentialKey(credential)] == nil { add(match, credential, nil) }
            // So that a program can say where to sign in.
            if kept.isEmpty, own.isEmpty { add(match, nil, nil) }
        }
        return Self.ranked(found)
    }

    private static func ranked(_ found: [(distance: Distance, served: Served)]) -> [Served] {
        let sorted = found.enumerated().sorted { left, right in
            if left.element.distance != right.element.distance { return left.element.distance < right.element.distance }
            let isSignedIn = (left.element.served.credential != nil, right.element.served.credential != nil)
            return isSignedIn.0 == isSignedIn.1 ? left.offset < right.offset : isSignedIn.0
        }
        var ranked: [Served] = []
        var last: Distance?
        for (_, each) in sorted {
            var served = each.served
            served.rank = (ranked.last?.rank ?? 0) + (each.distance == last ? 0 : 1)
            last = each.distance
            ranked.append(served)
        }
        return ranked
    }

    /// Whether an account's tokens are for the URL, if the account was named.
    ///
    /// - Parameters:
    ///   - account: the name that claims it; nil if none does.
    ///   - provider: what the provider's tokens are for.
    public func serves(_ url: URLPrefix.AskedURL, as account: NamedAccount?, of provider: [URLPrefix]) -> Bool {
        Self.match(url, account, Self.closest(provider, to: url)) != nil
    }

    /// Configured URLs on the host of a URL that they do not cover, with the name of the account or of the provider that has them.
    public func near(_ url: URLPrefix.AskedURL, providers: [ServingProvider]) -> [(name: String, prefix: URLPrefix)] {
        let own = providers.flatMap { provider in accounts.filter { $0.providerID == provider.id } }
        let all = own.map { (name: $0.name, prefixes: $0.prefixes) } + providers.map { (name: $0.id, prefixes: $0.serves) }
        return all.flatMap { each in
            each.prefixes.filter { $0.isOnHost(of: url) && $0.closeness(to: url) == nil }.map { (name: each.name, prefix: $0) }
        }
    }

    // MARK: How close

    /// The configured URL by which an account's tokens are for another one.
    private struct Match {
        var prefix: URLPrefix
        var closeness: Closeness
    }

    /// In the order of what counts: the smaller comes first.
    private struct Closeness: Equatable {
        /// 0 for a URL of the account's own, 1 for one that its provider serves.
        var source: Int
        /// The number of segments that are covered, negated.
        var length: Int
        /// Where its provider serves the URL, an account with URLs of its own gives way.
        var way: Int
    }

    private struct Distance: Equatable {
        var closeness: Closeness
        /// 1 if the provider's name means another account that is as close.
        var choice: Int

        init(_ closeness: Closeness, _ choice: Int) { (self.closeness, self.choice) = (closeness, choice) }

        static func < (left: Distance, right: Distance) -> Bool { left.order < right.order }

        private var order: (Int, Int, Int, Int) { (closeness.source, closeness.length, closeness.way, choice) }
    }

    /// - Parameters:
    ///   - account: nil for one without a name.
    ///   - general: the closest of the URLs that the provider serves.
    private static func match(_ url: URLPrefix.AskedURL, _ account: NamedAccount?, _ general: (URLPrefix, Int)?) -> Match? {
        if let account, let (prefix, length) = closest(account.prefixes, to: url) {
            return Match(prefix: prefix, closeness: Closeness(source: 0, length: -length, way: 0))
        }
        guard let (prefix, length) = general, account?.isForTheseOnly != true else { return nil }
        let isOnlyHere = account?.prefixes.isEmpty ?? true
        return Match(prefix: prefix, closeness: Closeness(source: 1, length: -length, way: isOnlyHere ? 0 : 1))
    }

    private static func closest(_ prefixes: [URLPrefix], to url: URLPrefix.AskedURL) -> (URLPrefix, Int)? {
        prefixes.compactMap { prefix in prefix.closeness(to: url).map { (prefix, $0) } }.max { $0.1 < $1.1 }
    }
}
