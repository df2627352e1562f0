import PosternInterface

/// A provider's set-up, for the person who registers an application there.
enum ProviderText {
    static func lines(for provider: Provider) -> [String] {
        var table = Table()
        table.add("name", provider.displayName)
        table.add("kind", provider.kind.rawValue)
        table.add("flows", provider.flows.map(\.rawValue).joined(separator: " "))
        table.add("scopes", provider.scopes.joined(separator: " "))
        table.add("ready", provider.configured ? "yes" : "no: \(provider.problem ?? "the client ID or secret is missing")")
        var lines = table.lines
        if let redirectURI = provider.redirectURI {
            lines += ["", "At the provider, register this as the authorization callback URL:", "  " + redirectURI.plain]
            lines += RedirectAdvice.lines(redirectURI: redirectURI, providerID: provider.providerID)
        }
        lines += ["", "What the provider gives goes into ~/.config/postern/config.toml:"]
        lines += configuration(for: provider).map { "  " + $0.plain }
        lines += ["and is taken up with: postern reload"]
        return lines
    }

    /// A table of the configuration, with places to fill in. The secret stands in a file of its own, which only its owner reads.
    private static func configuration(for provider: Provider) -> [String] {
        let id = provider.providerID
        // A TOML key that needs no quotes.
        let isBare = !id.isEmpty && id.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        let header = "[provider.\(isBare ? id : "\"\(id)\"")]"
        let file = "~/.config/postern/\(id).secret"
        switch provider.kind {
        case .oauth1:
            return [header, "api-key = \"…\"", "api-secret = { file = \"\(file)\" }"]
        case .oauth2, .oidc:
            return [header, "client-id = \"…\"", "client-secret = { file = \"\(file)\" }   # leave out for a public client"]
        case .password, .anonymous:
            return ["# nothing: this kind needs no provider"]
        }
    }
}
