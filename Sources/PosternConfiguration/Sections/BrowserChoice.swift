import TOML

extension Configuration {
    /// How the daemon opens a page.
    public enum Browser: Sendable, Hashable {
        /// The program and its arguments; the URL is added as the last one.
        case command([String])
        /// The desktop portal (`org.freedesktop.portal.OpenURI`).
        case portal
        /// Never; the caller gets the URL.
        case none
    }
}

extension Configuration.Browser {
    init?(_ key: String, in table: SettingTable) throws(ConfigurationError) {
        guard let setting = table[key] else { return nil }
        switch setting.content {
        case .string("portal"): self = .portal
        case .string("none"): self = .none
        case .string(let text):
            throw table.error(
                key, "must be \"portal\", \"none\" or a command as a list, such as [\"xdg-open\"], not \(SettingTable.shown(text))")
        case .list(let elements):
            let command = try table.strings(of: elements, key)
            guard !command.isEmpty else { throw table.error(key, "names no program; use \"none\" to open no page") }
            self = .command(command)
        default: throw table.wrongType(key, setting, "a list of strings, \"portal\" or \"none\"")
        }
    }
}

/// The browser of a provider, and of single accounts there: a user may be signed in with different accounts in different browser profiles.
public struct BrowserChoice: Sendable, Hashable {
    /// Nobody separates more accounts at one provider by browser.
    public static let accountLimit = 64

    /// For all accounts that have no browser of their own.
    public var ofProvider: Configuration.Browser?
    /// By the account as programs name it (`loginHint`), in lower case.
    public var ofAccount: [String: Configuration.Browser] = [:]
}

extension BrowserChoice {
    /// `browser` and `browser-of` of a provider.
    init(_ table: SettingTable) throws(ConfigurationError) {
        ofProvider = try Configuration.Browser("browser", in: table)
        guard let accounts = try table.table("browser-of") else { return }
        guard accounts.members.count <= Self.accountLimit else {
            throw table.error("browser-of", "names more than \(Self.accountLimit) accounts")
        }
        for member in accounts.members {
            let account = member.key.lowercased()
            guard !account.isEmpty, ofAccount[account] == nil else {
                throw member.keyPosition.error(
                    "\(TOMLKey.shown(member.key)) in \(accounts.name) is empty, or differs from another only in letter case")
            }
            ofAccount[account] = try Configuration.Browser(member.key, in: accounts)
        }
    }
}

extension Configuration {
    /// The browser for a sign-in: the account's own, else the provider's, else that of `[sign-in]`.
    ///
    /// - Parameter account: the program's `loginHint`.
    public func browser(of providerID: String, account: String?) -> Browser {
        let choice = provider(providerID)?.browser
        return account.flatMap { choice?.ofAccount[$0.lowercased()] } ?? choice?.ofProvider ?? signIn.browser
    }
}
