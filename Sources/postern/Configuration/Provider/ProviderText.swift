import PosternClient
import TOML

import struct PosternCore.ProviderRegistration

/// A provider's set-up, for the user who registers an application there.
enum ProviderText {
    /// - Parameters:
    ///   - directory: that of the configuration; see ``ConfigurationPlace``.
    ///   - width: that of the terminal; nil for no limit.
    static func lines(for provider: Provider, directory: String = ConfigurationPlace.usual, width: Int? = nil) -> [String] {
        var table = Table()
        table.add("name", provider.displayName)
        table.add("kind", provider.kind.rawValue)
        table.add("flows", provider.flows.map(\.rawValue).joined(separator: " "))
        table.add("scopes", provider.scopes.joined(separator: " "))
        table.add("ready", provider.configured ? "yes" : "no: \(provider.problem ?? "the client ID or secret is missing")")
        return table.facts(within: width) + advice(for: provider, directory).flatMap { Prose.wrapped($0, width: width) }
    }

    /// What to register, and where to put what the provider gives.
    private static func advice(for provider: Provider, _ directory: String) -> [String] {
        var lines: [String] = []
        let registration = ProviderRegistration.of(provider.providerID, provider.kind, directory: directory)
        if let redirectURI = provider.redirectURI {
            let isPlain = redirectURI.begins(with: "http://")
            let heading = isPlain ? registration?.beforePlainCallback : nil
            lines += ["", heading ?? ProviderRegistration.registerThis, "  " + redirectURI.plain]
            if isPlain { lines += registration?.plainCallback ?? [] }
            if let boxes = registration?.scopeBoxes { lines += [boxes, "  " + provider.scopes.joined(separator: " ").plain] }
            lines += RedirectAdvice.lines(redirectURI: redirectURI, providerID: provider.providerID, relay: registration?.relay)
        } else if provider.kind.isRemote {
            lines += [""] + ProviderRegistration.elsewhere(provider.displayName.plain)
        }
        if provider.configured {
            let id = provider.providerID.plain
            return lines + ["", "Its configuration is complete. Try it with: postern provider check \(id)"]
        }
        if provider.kind.isRemote { lines += ["", "In one dialogue: postern setup \(provider.providerID)".plain] }
        lines += ["", "What the provider gives goes into \(directory)/config.toml:".plain]
        lines += (registration?.configuration ?? configuration(for: provider, directory)).map { "  " + $0.plain }
        if let secret = registration?.secret {
            lines += secret
        } else if provider.kind.isRemote {
            lines += ["The secret goes into a file that only you can read (paste it, Enter, Ctrl-D):"]
            lines += ["  (umask 077; mkdir -p \(directory) && cat > \(secretFile(of: provider.providerID, directory)))".plain]
        }
        return lines + ["To apply it: postern reload"]
    }

    /// `github.secret` for `github.com`: the last label of a domain carries no information.
    private static func secretFile(of id: String, _ directory: String) -> String {
        let name = id.unicodeScalars.lastIndex(of: ".").map { id[..<$0] } ?? id[...]
        return "\(directory)/\(name).secret"
    }

    /// A table of the configuration, with placeholders for what is missing: the section of a provider that is not built in exists already,
    /// with its kind and its addresses. The secret is in its own file, which only its owner can read.
    private static func configuration(for provider: Provider, _ directory: String) -> [String] {
        let id = provider.providerID
        // A TOML key that needs no quotes.
        let header = "[provider.\(TOMLText.key(id))]"
        let file = secretFile(of: id, directory)
        switch provider.kind {
        case .oauth1:
            return [header, "api-key = \"…\"", "api-secret = { file = \"\(file)\" }"]
        case .oauth2:
            return [header, "client-id = \"…\"", "client-secret = { file = \"\(file)\" }"]
        case .oidc:
            return [header, "client-id = \"…\"", "client-secret = { file = \"\(file)\" }   # leave out for a public client"]
        case .password, .anonymous:
            return ["# nothing: this kind needs no provider"]
        }
    }
}

extension Provider.Kind {
    /// Whether it belongs to somebody else, with whom an application has to be registered.
    fileprivate var isRemote: Bool {
        switch self {
        case .oauth1, .oauth2, .oidc: true
        case .password, .anonymous: false
        }
    }
}

/// What else a redirect URI needs for responses to arrive.
enum RedirectAdvice {
    /// None for a plain loopback address, which needs nothing.
    ///
    /// - Parameter relay: how a page elsewhere forwards the provider's responses; nil: by the page made for it.
    static func lines(redirectURI: String, providerID: String, relay: [String]? = nil) -> [String] {
        guard let address = WebAddress(redirectURI) else {
            let scheme = String(redirectURI.before { $0 == ":" })
            return [
                "and make this desktop open such addresses with Postern:",
                "  postern url-scheme register \(scheme) --provider \(providerID)".plain,
            ]
        }
        if !address.isLoopback {
            return relay ?? ["and put Postern's page there that forwards the answers to this machine: man postern-relay says where it is"]
        }
        guard address.scheme == "https" else { return [] }
        return ["and make your browser trust the certificate: postern provider certificate says how"]
    }
}
