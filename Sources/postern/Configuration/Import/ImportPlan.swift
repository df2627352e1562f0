import PosternClient
import TOML

/// How one account of another program is to be imported.
struct ImportPlan {
    /// The name in `[account.NAME]`.
    var name: String
    var login: String?
    var providerID: String
    /// The provider is configured already, with this client.
    var isProviderThere: Bool
    /// The server that the refresh token is sent to, for people.
    var address = ""
    /// The files that already have the account.
    var accountFiles: [String] = []
    var provider: ForeignProvider
    var clientID: String
    var clientSecret: Secret?
    /// The endpoint that identifies the user, for a provider without discovery.
    var userinfoEndpoint: String?
    /// The granted scopes.
    var scopes: [String]
    var refreshToken: Secret?
    /// In its place, of another client: nothing renews it.
    var accessToken: Secret?

    /// A name that `[account.NAME]` permits: a to z, 0 to 9, full stop, `-` and `_`.
    static func name(from text: String) -> String {
        var name = ""
        for scalar in text.lowercased().unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9", "-", "_", ".": name.unicodeScalars.append(scalar)
            default: if !name.ends(with: "-") { name += "-" }
            }
        }
        name = String(name.skipping { $0 == "." || $0 == "-" })
        while name.ends(with: "-") { name.removeLast() }
        return name.isEmpty ? "imported" : String(name.prefix(64))
    }

    static func isName(_ text: String) -> Bool { !text.isEmpty && text.unicodeScalars.first != "." && name(from: text) == text }

    /// The provider is in the configuration already.
    mutating func use(_ id: String, at server: ExistingConfiguration.Server?) {
        providerID = id
        isProviderThere = true
        address = server?.address ?? ""
    }

    /// The account is also configured already.
    var isAccountThere: Bool { !accountFiles.isEmpty }

    /// The configuration of the account, and of its provider if that is not configured; empty if there is nothing to write.
    ///
    /// - Parameter secretFile: the file for the client secret.
    func configuration(secretFile: String) -> String {
        if isAccountThere { return "" }
        var lines: [String] = []
        if !isProviderThere {
            lines.append("[provider.\(TOMLText.key(providerID))]")
            switch provider {
            case .builtIn(_, let tenant): if let tenant { lines.append("tenant = \(TOMLText.quoted(tenant))") }
            case .issuer(let issuer): lines += ["kind = \"oidc\"", "issuer = \(TOMLText.quoted(issuer))"]
            case .endpoints(let authorization, let token):
                lines += [
                    "kind = \"oauth2\"", "authorization-endpoint = \(TOMLText.quoted(authorization))",
                    "token-endpoint = \(TOMLText.quoted(token))",
                ]
                if let userinfoEndpoint { lines.append("userinfo-endpoint = \(TOMLText.quoted(userinfoEndpoint))") }
                lines.append(#"profile = { uid = "sub", display-name = "name", email = "email", username = "preferred_username" }"#)
            }
            lines.append("client-id = \(TOMLText.quoted(clientID))")
            if clientSecret != nil { lines.append("client-secret = { file = \(TOMLText.quoted(secretFile)) }") }
            lines.append("")
        }
        lines += ["[account.\(TOMLText.key(name))]", "provider = \(TOMLText.quoted(providerID))"]
        if let login { lines.append("login = \(TOMLText.quoted(login))") }
        if !scopes.isEmpty { lines.append("scopes = [\((scopesToAskFor).map(TOMLText.quoted).joined(separator: ", "))]") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A later sign-in also has to identify the user.
    private var scopesToAskFor: [String] {
        if case .endpoints = provider { return scopes }
        return scopes + ["openid", "email"].filter { !scopes.contains($0) }
    }
}
