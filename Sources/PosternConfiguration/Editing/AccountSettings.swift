import PosternCore

/// What the files say about accounts, for a person who looks at them or names one.
public struct AccountSettings: Sendable {
    /// One `[account.NAME]`.
    public struct Account: Sendable, Hashable {
        public var name: String
        public var providerID: String
        public var login: String?
        /// URLs that its tokens are for, besides the provider's.
        public var urls: [String]
        /// Its tokens are for these alone.
        public var isForTheseOnly: Bool

        public init(name: String, providerID: String, login: String? = nil, urls: [String] = [], isForTheseOnly: Bool = false) {
            (self.name, self.providerID, self.login, self.urls, self.isForTheseOnly) = (name, providerID, login, urls, isForTheseOnly)
        }
    }

    /// In the order of the files.
    public var accounts: [Account]
    /// What each provider's tokens are for.
    public var serves: [(providerID: String, urls: [String])]
    /// `account` of a provider's section: whom its name means.
    public var meant: [(providerID: String, account: String)]
    /// Providers whose page may have to ask for consent to a refresh token, though no scope says so.
    public private(set) var consentsToOfflineAccess: Set<String> = []
    /// The names of `[mcp.NAME]`.
    public let serverNames: Set<String>
    /// Names that no account may get: those of providers.
    private let providerIDs: Set<String>

    public init(
        accounts: [Account] = [], serves: [(providerID: String, urls: [String])] = [], meant: [(providerID: String, account: String)] = [],
        providerIDs: Set<String> = [], serverNames: Set<String> = []
    ) {
        (self.accounts, self.serves, self.meant) = (accounts, serves, meant)
        (self.providerIDs, self.serverNames) = (providerIDs, serverNames)
    }

    /// - Throws: if the configuration is refused.
    public init(_ text: ConfigurationText) throws(ConfigurationError) {
        let configuration = try text.configuration()
        accounts = configuration.namedAccounts.accounts.map { account in
            Account(
                name: account.name, providerID: account.providerID, login: account.login?.text, urls: account.prefixes.map(\.text),
                isForTheseOnly: account.isForTheseOnly)
        }
        serves = configuration.providers.map { ($0.provider.id, $0.provider.serves.map(\.text)) }
        consentsToOfflineAccess = Set(configuration.providers.map(\.provider).filter(\.mayNeedConsentForOfflineAccess).map(\.id))
        meant = configuration.namedAccounts.meant.map { ($0.key, $0.value) }
        providerIDs = text.names(in: "provider")
        serverNames = text.names(in: "mcp")
    }

    public func account(named name: String) -> Account? { accounts.first { $0.name == name } }

    /// The name of the account that a provider's name means; nil if the files do not say.
    public func meant(by providerID: String) -> String? { meant.first { $0.providerID == providerID }?.account }

    /// The URLs that an account's tokens are for, its own before the provider's.
    ///
    /// - Parameter name: nil for an account without a name.
    public func urls(of name: String?, at providerID: String) -> [String] {
        let account = name.flatMap(account(named:))
        let general = serves.first { $0.providerID == providerID }?.urls ?? []
        guard let account, !account.urls.isEmpty else { return general }
        return account.urls + (account.isForTheseOnly ? [] : general.filter { !account.urls.contains($0) })
    }

    /// Why an account cannot get this name; nil if it can.
    public func mistake(inNewName name: String) -> String? {
        if let mistake = ProviderNaming.mistake(inAccount: name) { return mistake }
        if providerIDs.contains(name) { return "\(name) is the name of a provider; an account needs its own name" }
        if account(named: name) != nil { return "there is an account called \(name) already" }
        if serverNames.contains(name) { return "there is an MCP server called \(name) already" }
        return nil
    }

    /// A free name for an MCP server: of `mcp.linear.app` it is `linear`.
    ///
    /// - Parameter given: names that others get at the same time.
    public func freeName(forServerAt host: String, besides given: Set<String> = []) -> String {
        let labels = host.lowercased().parts(separator: ".").map(String.init)
        // An address has no part that is a name. The last label is the registry's, and these say only what kind of name it is.
        let isAddress = host.unicodeScalars.contains(":") || labels.allSatisfy { Int($0) != nil }
        let kinds: Set<String> = ["www", "api", "mcp", "app", "co", "com", "net", "org"]
        let names = isAddress ? [] : labels.dropLast().filter { !kinds.contains($0) }
        let short = Self.name(from: names.last ?? (isAddress || labels.isEmpty ? "mcp" : labels[0]))
        // Of two servers of one owner, the whole host says which.
        let whole = isAddress ? short : Self.name(from: labels.joined(separator: "-"))
        let numbered = (2...1000).lazy.map { "\(short.prefix(58))-\($0)" }
        let isFree = { name in !given.contains(name) && mistake(inNewName: name) == nil }
        return [short, whole].first(where: isFree) ?? numbered.first(where: isFree) ?? whole
    }

    /// A free name for an account, made from what people call it.
    public func freeName(for calling: String, at providerID: String) -> String {
        let short = Self.name(from: calling.parts(separator: "@").first ?? "")
        let beside = Self.name(from: "\(short)-\(providerID)")
        if let free = [short, beside].first(where: { mistake(inNewName: $0) == nil }) { return free }
        // The configuration permits fewer accounts than that.
        return (2...1000).lazy.map { "\(short.prefix(58))-\($0)" }.first { mistake(inNewName: $0) == nil } ?? beside
    }

    /// A name that `[account.NAME]` permits.
    private static func name(from text: some StringProtocol) -> String {
        var name = ""
        for byte in String(text).lowercased().utf8 {
            let isFit = (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || ".-_".utf8.contains(byte)
            if isFit { name.unicodeScalars.append(Unicode.Scalar(byte)) } else if !name.ends(with: "-") { name += "-" }
        }
        let trimmed = name.utf8.drop { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
        name = String(decoding: trimmed.prefix(64), as: UTF8.self)
        while name.ends(with: "-") { name.removeLast() }
        return name.isEmpty ? "account" : name
    }
}
