/// A configuration key that one provider has in addition to the common ones.
public struct ProviderSetting: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        case text, flag
        /// Obtained like a client secret; found in ``Provider/secrets`` under the key.
        case secret
        /// A secret of several lines, such as a private key in PEM: like ``secret``, but the whole text of the source.
        case key
    }

    /// As in the file: `tenant`, `signing-key`.
    public var key: String
    public var kind: Kind
}

/// The values of a provider's own keys in the configuration; its secrets are read later.
public struct ProviderSettings: Sendable, Hashable {
    public var texts: [String: String]
    public var flags: [String: Bool]
    /// The keys of the secrets that are configured.
    public var secrets: Set<String>

    public init(texts: [String: String] = [:], flags: [String: Bool] = [:], secrets: Set<String> = []) {
        self.texts = texts
        self.flags = flags
        self.secrets = secrets
    }
}

/// Why a provider's own setting is invalid.
public struct ProviderSettingError: Error, Sendable, Hashable {
    public var key: String
    /// Continues a sentence that begins with the key: `must be a host name`.
    public var problem: String
}

/// Which name of this machine a provider accepts in a callback URL.
public enum RedirectHost: Sendable, Hashable {
    /// `127.0.0.1` or `[::1]`, whichever the daemon listens on (RFC 8252 section 7.3).
    case address
    /// `localhost`, if a provider accepts no address.
    case localhost
    /// None: the provider redirects only to https pages with a domain name, and such a page must forward the answer to this machine.
    case website
}

/// Which port of this machine a provider accepts in a callback URL.
public enum RedirectPort: Sendable, Hashable {
    /// Any, whatever was registered (RFC 8252 section 7.3).
    case any
    /// Only the registered one.
    case registered
}

extension Provider {
    /// Whether it has no callback URL that the provider accepts, because the configuration names no page of a website.
    ///
    /// A provider that itself runs on this machine, as in a test, accepts its addresses.
    public var lacksWebsite: Bool {
        guard redirectHost == .website, redirectURI == nil else { return false }
        let page = endpoints.authorization.flatMap { try? EndpointURL($0) }
        return page.map { !LoopbackHost.contains($0.host) } ?? true
    }
}

/// Rule for `iss` in an ID token.
public enum IssuerRule: Sendable, Hashable {
    /// Compared exactly; nil if the provider has none, so that no token can be from it.
    case exact(String?)
    /// Must equal one of them exactly.
    case anyOf([String])
    /// Equal once the placeholder is replaced by the value of the token's claim, as with Entra's tenants. If there is an `allowed` list,
    /// only its values are accepted.
    case template(String, placeholder: String, claim: String, allowed: [String]?)
}

/// The configuration's `host`, for a provider's software that somebody runs themselves.
struct ProviderHost {
    static let setting = ProviderSetting(key: "host", kind: .text)

    /// `https://`, the host, optionally a port and a path; no slash at the end.
    let origin: String
    /// Without port and path, in lower case.
    let name: String

    /// Nil if the configuration names none.
    ///
    /// - Parameter mayHavePath: the software can be installed below a path of its host.
    init?(_ settings: ProviderSettings, mayHavePath: Bool = false) throws(ProviderSettingError) {
        guard var text = settings.texts[Self.setting.key] else { return nil }
        // In case the whole URL was copied from the browser.
        if let rest = text.rest(after: "https://") { text = String(rest) }
        if text.ends(with: "/") { text.removeLast() }
        guard let url = try? EndpointURL("https://\(text)"), url.query == nil, mayHavePath || url.path.isEmpty else {
            throw ProviderSettingError(
                key: Self.setting.key,
                problem: "must be a host name, perhaps with a port\(mayHavePath ? " and a path" : ""): \"git.example.com\"")
        }
        origin = url.text
        name = url.host
    }
}
