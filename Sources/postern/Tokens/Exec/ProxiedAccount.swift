import PosternValues

/// `ACCOUNT[=NAME]` of `--proxy`: whose URLs the command may use, and how its variables begin.
struct ProxiedAccount: Equatable, Sendable {
    /// A provider, an account in the configuration, or a URL that an account's tokens are for.
    var account: String
    var name: String

    /// Nil if there is a ``problem(_:)``.
    init?(_ text: String) {
        guard let (account, name) = Self.parts(text) else { return nil }
        self.account = account
        self.name = name
    }

    var isURL: Bool { account.holds("://") }

    static func problem(_ text: String) -> String? {
        guard parts(text) == nil else { return nil }
        return "write ACCOUNT or ACCOUNT=NAME: whose URLs the command may use, and how its variables begin, such as github.com=GH"
    }

    /// A URL may have an equals sign of its own.
    private static func parts(_ text: String) -> (account: String, name: String)? {
        if let equals = text.unicodeScalars.lastIndex(of: "="), VariableName.isOne(text.after(equals)) {
            let account = String(text[..<equals])
            return account.isEmpty ? nil : (account, String(text.after(equals)))
        }
        guard !text.holds("://") else {
            guard let url = try? EndpointURL(text) else { return nil }
            return (text, VariableName.from(url.host))
        }
        return text.isEmpty || text.holds("=") ? nil : (text, VariableName.from(text))
    }
}
