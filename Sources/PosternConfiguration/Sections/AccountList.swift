import PosternCore
import TOML

/// All `[account.…]` sections.
struct AccountList {
    static let limit = 64
    static let keys = ["provider", "login", "for", "only", "scopes", "resource", "keep-fresh"]

    /// The configured providers.
    let providers: [ConfiguredProvider]

    func read(_ layers: inout SettingLayers, into configuration: inout Configuration) throws(ConfigurationError) {
        var accounts: [NamedAccount] = []
        for member in try layers.members("account") {
            do throws(ConfigurationError) {
                guard accounts.count < Self.limit else { throw member.keyPosition.error("more than \(Self.limit) accounts") }
                accounts.append(try read(member, among: accounts))
            } catch {
                let path = ["account", member.key]
                try layers.leaveOut(path, error) { part in (try? read(member.with(part), among: accounts)) != nil }
                // What the user adds would be without its limits, such as `only`.
                layers.remove(path)
                if accounts.count < Self.limit, let blocked = blocked(member, because: error) { accounts.append(blocked) }
            }
        }
        configuration.namedAccounts = AccountDirectory(accounts)
        configuration.namedAccounts.meant = try meant(&layers, among: accounts, &configuration.providers)
    }

    private func read(_ member: SettingTable.Member, among accounts: [NamedAccount]) throws(ConfigurationError) -> NamedAccount {
        guard case .table(let section) = member.setting.content else {
            throw member.keyPosition.error(
                "\(TOMLKey.shown(member.key)) in [account] must be a table; an account begins with [account.NAME]")
        }
        try checkName(member.key, of: section)
        let account = try account(member.key, section)
        let others = accounts.filter { $0.providerID == account.providerID }
        if let login = account.knownLogin, let other = others.first(where: { $0.knownLogin.map(login.mayBe) ?? false }) {
            throw section.error("login", "is that of [account.\(TOMLKey.shown(other.name))] already")
        }
        return account
    }

    /// An account whose name gives nothing, and says why. It still claims its credential and its URLs, so that neither goes to another one,
    /// or for more than before.
    ///
    /// - Returns: nil if it is unknown at which provider it is.
    private func blocked(_ member: SettingTable.Member, because error: ConfigurationError) -> NamedAccount? {
        guard case .table(let section) = member.setting.content, case .string(let id)? = section["provider"]?.content,
            let provider = providers.first(where: { $0.provider.id == id })?.provider,
            (try? checkName(member.key, of: section)) != nil
        else { return nil }
        var account = NamedAccount(name: member.key, providerID: id)
        account.login = (try? Self.login(section, at: provider)) ?? nil
        account.isLoginHint = !provider.namesPeople
        // One that is malformed does not free the others.
        if case .list(let elements)? = section["for"]?.content {
            for element in elements.prefix(64) {
                if case .string(let text) = element.content, let prefix = try? URLPrefix(text) { account.prefixes.append(prefix) }
            }
        }
        account.isForTheseOnly = true
        account.problem = "its section is not used because of a mistake: \(error)"
        return account
    }

    /// Whom each provider's name means, by the `account` of its section.
    ///
    /// - Parameter providers: one whose section is left out because of this key is blocked.
    private func meant(
        _ layers: inout SettingLayers, among accounts: [NamedAccount], _ providers: inout [ConfiguredProvider]
    ) throws(ConfigurationError) -> [String: String] {
        var meant: [String: String] = [:]
        let isIncomplete = layers.isIncomplete
        for member in layers.settings.inner("provider")?.members ?? [] {
            guard case .table(let section) = member.setting.content else { continue }
            do throws(ConfigurationError) {
                guard let name = try section.string("account") else { continue }
                guard accounts.contains(where: { $0.name == name && $0.providerID == member.key }) else {
                    throw section.error("account", Self.mistake(name, at: member.key, among: accounts))
                }
                meant[member.key] = name
            } catch {
                let path = ["provider", member.key]
                try layers.leaveOut(path, error) { part in
                    guard case .table(let theirs) = part.content else { return false }
                    return theirs["account"] == nil && !isIncomplete
                }
                layers.remove(path)
                guard let index = providers.firstIndex(where: { $0.provider.id == member.key }) else { continue }
                providers[index] = providers[index].blocked(because: error)
            }
        }
        return meant
    }

    /// Why a provider's name cannot mean an account of this name; continues after the key's name.
    private static func mistake(_ name: String, at providerID: String, among accounts: [NamedAccount]) -> String {
        let shown = SettingTable.shown(name)
        if let other = accounts.first(where: { $0.name == name }) {
            return "must name an account of this provider; \(shown) is one of \(other.providerID)"
        }
        let own = accounts.filter { $0.providerID == providerID }.map(\.name)
        let hint = Spelling.nearest(to: name, in: own).map { "did you mean \"\($0)\"?" }
        return "must name an account of this provider, not \(shown); "
            + (hint ?? "give it an [account.NAME] with provider = \(TOMLText.quoted(providerID)) first")
    }

    /// Programs give it instead of a provider's name.
    private func checkName(_ name: String, of section: SettingTable) throws(ConfigurationError) {
        if let mistake = ProviderNaming.mistake(inAccount: name) { throw section.position.error("\(section.name): \(mistake)") }
        guard !providers.contains(where: { $0.provider.id == name }) else {
            throw section.position.error("\(section.name): \(name) is the name of a provider; an account needs its own name")
        }
    }

    private func account(_ name: String, _ section: SettingTable) throws(ConfigurationError) -> NamedAccount {
        try section.allowOnly(Self.keys)
        guard let id = try section.string("provider") else {
            throw section.position.error("\(section.name) needs provider, the name of the account's provider")
        }
        guard let provider = providers.first(where: { $0.provider.id == id })?.provider else {
            let hint = Spelling.nearest(to: id, in: providers.map(\.provider.id)).map { "did you mean \"\($0)\"?" }
            throw section.error("provider", "is not a configured provider; \(hint ?? "give it a [provider.NAME] first")")
        }
        guard provider.server == nil else {
            throw section.error("provider", "is an MCP server, which has one account; another one is another [mcp.NAME]")
        }
        var account = NamedAccount(name: name, providerID: id)
        account.login = try Self.login(section, at: provider)
        account.isLoginHint = !provider.namesPeople
        account.prefixes = try section.prefixes("for") ?? []
        account.isForTheseOnly = try section.boolean("only") ?? false
        if account.isForTheseOnly, account.prefixes.isEmpty {
            throw section.error("only", "needs for, the URLs that the account's tokens are for")
        }
        if let scopes = try section.strings("scopes") {
            guard provider.kind != .oauth1 else { throw section.error("scopes", "must be left out: OAuth 1.0a has none") }
            do throws(InvalidScope) { account.scopes = try provider.scopesToRequest(scopes) } catch {
                throw section.error("scopes", "must be scopes of OAuth 2.0, without spaces")
            }
        }
        account.resource = try section.string("resource")
        if let resource = account.resource {
            guard provider.kind != .oauth1, ProviderExtensions.isResource(resource) else {
                throw section.error(
                    "resource", "must be an absolute URI without a fragment, such as \"https://api.example.com/\" (RFC 8707)")
            }
        }
        account.keepsFresh = try section.boolean("keep-fresh") ?? false
        return account
    }
}

extension AccountList {
    /// `"ada@example.com"`, or `{ id = "1815" }`, which says what it is.
    private static func login(_ section: SettingTable, at provider: Provider) throws(ConfigurationError) -> AccountLogin? {
        let rule = "must be the account's identifier, its address or its user name, at most 320 bytes"
        guard case .table(let table)? = section["login"]?.content else {
            let text = try section.line("login", upTo: 320, rule)
            return text.map { AccountLogin($0, identifiersAreNumbers: provider.dialect.identifiersAreNumbers) }
        }
        let kinds = AccountLogin.Kind.allCases
        try table.allowOnly(kinds.map(\.rawValue))
        let given = kinds.filter { table[$0.rawValue] != nil }
        guard given.count == 1, let kind = given.first, let text = try table.line(kind.rawValue, upTo: 320, rule) else {
            throw section.error("login", "must say one of id, address and user, such as { id = \"1815\" }")
        }
        guard kind != .address || text.unicodeScalars.contains("@") else {
            throw table.error("address", "must be an email address, not \(SettingTable.shown(text))")
        }
        return AccountLogin(text, kind: kind)
    }
}

extension AccountLogin {
    /// The two may mean one account.
    fileprivate func mayBe(_ other: AccountLogin) -> Bool {
        text.utf8.elementsEqual(other.text.utf8) && (kind == nil || other.kind == nil || kind == other.kind)
    }
}

extension SettingTable {
    /// The URLs that tokens are for.
    func prefixes(_ key: String) throws(ConfigurationError) -> [URLPrefix]? {
        guard let texts = try strings(key) else { return nil }
        guard !texts.isEmpty else { throw error(key, "must name at least one URL") }
        var prefixes: [URLPrefix] = []
        for text in texts {
            do throws(EndpointURLError) { prefixes.append(try URLPrefix(text)) } catch {
                throw self.error(key, "must be URLs that tokens are for; \"\(text)\" \(error)")
            }
        }
        return prefixes
    }
}
