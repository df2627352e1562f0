/// A key of the configuration that one provider has beside the common ones.
public struct ProviderSetting: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        case text, flag
        /// Fetched like a client secret; found in ``Provider/secrets`` under the key.
        case secret
        /// A secret of several lines, such as a private key in PEM: as ``secret``, but all that the source has.
        case key
    }

    /// As it is in the file: `tenant`, `signing-key`.
    public var key: String
    public var kind: Kind

    public init(_ key: String, _ kind: Kind) {
        self.key = key
        self.kind = kind
    }
}

/// What the configuration says under a provider's own keys; its secrets come later.
public struct ProviderSettings: Sendable, Hashable {
    public var texts: [String: String]
    public var flags: [String: Bool]
    /// The keys of those secrets that are given.
    public var secrets: Set<String>

    public init(texts: [String: String] = [:], flags: [String: Bool] = [:], secrets: Set<String> = []) {
        self.texts = texts
        self.flags = flags
        self.secrets = secrets
    }
}

/// Why a provider's own setting cannot be taken.
public struct ProviderSettingError: Error, Sendable, Hashable {
    public var key: String
    /// Goes on from the key: `must be a host name`.
    public var problem: String

    public init(_ key: String, _ problem: String) {
        self.key = key
        self.problem = problem
    }
}

/// Which name of this machine a provider takes in a callback URL.
public enum RedirectHost: Sendable, Hashable {
    /// `127.0.0.1` or `[::1]`, whichever is listened on (RFC 8252 section 7.3).
    case address
    /// `localhost`, where a provider takes no address.
    case localhost
    /// None: the provider redirects browsers to https pages with a domain name alone, and such a page must hand the answer on to here.
    case website
}

/// Which port of this machine a provider takes in a callback URL.
public enum RedirectPort: Sendable, Hashable {
    /// Any, whatever was registered (RFC 8252 section 7.3).
    case any
    /// The registered one alone.
    case registered
}

extension Provider {
    /// It has no callback URL that the provider takes, as long as the configuration names no page of a website.
    ///
    /// A provider that is itself on this machine, as in a test, minds no address of it.
    public var lacksWebsite: Bool {
        guard redirectHost == .website, redirectURI == nil else { return false }
        let page = endpoints.authorization.flatMap { try? EndpointURL($0) }
        return page.map { !LoopbackHost.contains($0.host) } ?? true
    }
}

/// Rule for `iss` in an ID token.
public enum IssuerRule: Sendable, Hashable {
    /// Compared exactly; nil if the provider has none, and no token can be from it.
    case exact(String?)
    /// Must equal one of them exactly.
    case anyOf([String])
    /// Equal once the place holder is replaced by what the token's claim says, as with Entra's tenants. Only the claims in
    /// `allowed` are taken, if there is such a list.
    case template(String, placeholder: String, claim: String, allowed: [String]?)
}

/// The configuration's `host`: where somebody runs a provider's software themselves.
struct ProviderHost {
    static let setting = ProviderSetting("host", .text)

    /// `https://`, the host, perhaps a port and a path; no slash at the end.
    let origin: String
    /// Without port and path, in lower case.
    let name: String

    /// Nil if the configuration names none.
    ///
    /// - Parameter mayHavePath: the software can be installed below a path of its host.
    init?(_ settings: ProviderSettings, mayHavePath: Bool = false) throws(ProviderSettingError) {
        guard var text = settings.texts[Self.setting.key] else { return nil }
        // Copied from the browser as a whole.
        if text.hasPrefix("https://") { text.removeFirst("https://".count) }
        if text.hasSuffix("/") { text.removeLast() }
        guard let url = try? EndpointURL("https://\(text)"), url.query == nil, mayHavePath || url.path.isEmpty else {
            throw ProviderSettingError(
                Self.setting.key, "must be a host name, perhaps with a port\(mayHavePath ? " and a path" : ""): \"git.example.com\"")
        }
        origin = url.text
        name = url.host
    }
}
