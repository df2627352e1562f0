import PosternClient
import PosternConfiguration
import StrictJSON

/// One account of the person's, or of an app's user.
struct AccountLine {
    var providerID: String
    /// For people.
    var providerName: String
    /// Nil if nobody has signed in to a configured account.
    var credential: Interface.StoredCredential?
    /// That of its [account.NAME].
    var name: String?
    /// The word that commands take for it; nil if none means it alone.
    var word: String?
    /// It is one of several at the provider, and the one that the provider's name means.
    var isMeantByProvider = false
    /// What its tokens are for.
    var urls: [String] = []

    var apps: [String] { credential?.apps ?? [] }
    var isKeptByPerson: Bool { credential?.isKeptByPerson ?? true }

    /// What people call it: an address rather than an identifier.
    var who: String? { credential?.calling }

    /// The command that signs in to it again.
    var signIn: String {
        guard word == nil, let email = credential?.email else { return "postern sign-in \(ShellWord.quoted(word ?? providerID))" }
        return "postern sign-in \(ShellWord.quoted(providerID)) --login-hint \(ShellWord.quoted(email))"
    }
}

/// All accounts, what needs the person, and the users of apps.
struct AccountsView {
    /// The user whom an app is signed in as.
    struct AppUser {
        var app: String
        var user: User
    }

    /// A provider whose name means none of several accounts.
    struct Ambiguity {
        var providerID: String
        /// One of them, for the command.
        var example: AccountLine
        var count: Int
    }

    let credentials: [Interface.StoredCredential]
    let providers: [Provider]
    /// Nil if the configuration cannot be read.
    let settings: AccountSettings?
    var users: [AppUser] = []
    /// More apps keep accounts than were asked for their users.
    var hasMoreApps = false

    /// Indices of the person's.
    private let own: [Int]
    /// Those that apps keep for their users, and nobody else.
    private let others: [Int]
    /// The person's, by provider.
    private let counts: [String: Int]
    /// Of providers with a credential: what people call them, and what the tokens of accounts without a name are for. There may be thousands
    /// of credentials, and the view is made more than once.
    private let known: [String: (name: String, urls: [String])]
    /// Names of the configuration that nobody has signed in to.
    private let waiting: [AccountSettings.Account]

    init(credentials: [Interface.StoredCredential], providers: [Provider], settings: AccountSettings?) {
        self.credentials = credentials
        self.providers = providers
        self.settings = settings
        var (own, others, counts) = ([Int](), [Int](), [String: Int]())
        var named: Set<String> = []
        var known: [String: (name: String, urls: [String])] = [:]
        for index in credentials.indices {
            let id = credentials[index].providerID
            if known[id] == nil { known[id] = (Self.name(of: id, among: providers), settings?.urls(of: nil, at: id) ?? []) }
            if let name = credentials[index].account { named.insert(name) }
            if credentials[index].isKeptByPerson {
                own.append(index)
                counts[id, default: 0] += 1
            } else {
                others.append(index)
            }
        }
        (self.own, self.others, self.counts, self.known) = (own, others, counts, known)
        waiting = settings?.accounts.filter { !named.contains($0.name) } ?? []
    }

    // MARK: The accounts

    /// The person's, signed in to or not.
    var ownCount: Int { own.count + waiting.count }
    /// Those kept only for users of apps.
    var otherCount: Int { others.count }
    var isEmpty: Bool { ownCount == 0 && otherCount == 0 && users.isEmpty }

    func ownLine(_ index: Int) -> AccountLine {
        index < own.count ? line(of: credentials[own[index]]) : line(of: waiting[index - own.count])
    }

    /// Whether there is anything that only the person can do about it.
    func ownNeedsNothing(_ index: Int) -> Bool { index < own.count && credentials[own[index]].state == .good }

    func otherLine(_ index: Int) -> AccountLine { line(of: credentials[others[index]]) }

    private func line(of credential: Interface.StoredCredential) -> AccountLine {
        let id = credential.providerID
        let provider = known[id] ?? (id, [])
        var line = AccountLine(providerID: id, providerName: provider.name, credential: credential, name: credential.account)
        line.urls = credential.account == nil ? provider.urls : settings?.urls(of: credential.account, at: id) ?? []
        guard line.isKeptByPerson else { return line }
        let isAlone = counts[id] == 1
        let meant = settings?.meant(by: id)
        line.isMeantByProvider = !isAlone && meant != nil && meant == credential.account
        line.word = credential.account ?? (isAlone && meant == nil ? id : nil)
        return line
    }

    private func line(of account: AccountSettings.Account) -> AccountLine {
        AccountLine(
            providerID: account.providerID, providerName: Self.name(of: account.providerID, among: providers), name: account.name,
            word: account.name,
            isMeantByProvider: (counts[account.providerID] ?? 0) > 0 && settings?.meant(by: account.providerID) == account.name,
            urls: settings?.urls(of: account.name, at: account.providerID) ?? [])
    }

    /// With the ID if two providers have one name.
    private static func name(of id: String, among providers: [Provider]) -> String {
        guard let provider = providers.first(where: { $0.providerID == id }) else { return id }
        let isShared = providers.contains { $0.displayName == provider.displayName && $0.providerID != id && $0.configured }
        return isShared ? "\(provider.displayName) (\(id))" : provider.displayName
    }

    /// The providers whose names mean none of several accounts.
    var ambiguities: [Ambiguity] {
        guard let settings else { return [] }
        return counts.filter { $0.value > 1 && settings.meant(by: $0.key) == nil }.keys.sorted().compactMap { id in
            // One with a name needs one command less.
            let lines = own.lazy.filter { credentials[$0].providerID == id }
            guard let first = lines.first(where: { credentials[$0].account != nil }) ?? lines.first else { return nil }
            return Ambiguity(providerID: id, example: line(of: credentials[first]), count: counts[id] ?? 0)
        }
    }

    /// The apps that keep accounts, with `default`, which may have a user without one.
    ///
    /// - Returns: at most `limit` of them.
    func apps(limit: Int) -> [String] {
        var apps = ["default"]
        for credential in credentials {
            for app in credential.keptBy ?? [] where !app.isEmpty && !apps.contains(app) {
                guard apps.count < limit else { return apps }
                apps.append(app)
            }
        }
        return apps
    }
}
