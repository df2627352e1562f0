/// An issuer, and which endpoints are its own.
///
/// A code, a refresh token, an assertion and a client secret are one issuer's, but an issuer's metadata can name any URL. An issuer that a
/// stranger named could name the endpoints of an honest one: the user would sign in there, and the tokens would go to the stranger's server.
/// So every endpoint that metadata name is judged here before anything is sent, shown or registered.
public struct IssuerBinding: Sendable {
    private let issuer: String
    /// Where the issuer's metadata are.
    private let host: EndpointHost?
    /// The configuration names the provider, with its endpoints or its issuer. Otherwise it is an MCP server, which itself names the issuer.
    private let isChosen: Bool
    /// The token endpoint is configured or built in, so that no metadata can move it.
    private let hasTokenEndpoint: Bool
    private let agreed: Set<EndpointHost>
    private var known: [KnownIssuer]
    /// With which the user can agree to a host, but for the hosts.
    private let command: String

    /// - Parameters:
    ///   - provider: with the issuer that was found, if it is an MCP server's.
    ///   - known: the issuers that are configured or built in, this one perhaps among them.
    public init(of provider: Provider, beside known: [KnownIssuer]) {
        issuer = provider.issuer ?? ""
        host = (try? EndpointURL(issuer)).map(EndpointHost.init)
        isChosen = provider.server == nil
        hasTokenEndpoint = provider.endpoints.token != nil
        agreed = provider.server?.endpointHosts ?? []
        self.known = known
        let name = provider.id.isEmpty ? "" : " --as \(provider.id)"
        command = "postern mcp add \(Self.shellWord(provider.server?.url.text ?? "URL"))\(name)"
    }

    private static func shellWord(_ url: String) -> String {
        let isPlain = url.utf8.allSatisfy { $0.isASCIILetter || $0.isDecimalDigit || "_-./:@%+=,~".utf8.contains($0) }
        return isPlain ? url : "'\(url.parts(separator: "'", omittingEmptySubsequences: false).joined(separator: "%27"))'"
    }

    /// Why an endpoint is not used.
    public enum Objection: Sendable, Hashable {
        /// The issuer alone says that it is its own. The user may know better, and agree to the host.
        case unknown
        /// A known issuer has endpoints there: nobody can agree to it. With what it is called.
        case another(String)
    }

    /// - Returns: nil for an endpoint of the issuer's own.
    public func objection(to endpoint: EndpointURL) -> Objection? {
        if isChosen { return nil }
        let there = EndpointHost(endpoint)
        if isOwn(there) { return nil }
        if let other = known.first(where: { $0.hosts.contains(there) }) { return .another(other.name) }
        return agreed.contains(there) ? nil : .unknown
    }

    /// At the issuer's host or below it, or where the configuration or the catalogue has endpoints of this issuer.
    private func isOwn(_ there: EndpointHost) -> Bool {
        guard let host else { return false }
        return there.isWithin(host) || known.contains { $0.isIssuer(issuer, at: host) && $0.hosts.contains(there) }
    }

    /// With further issuers, which were found.
    public func beside(_ further: [KnownIssuer]) -> IssuerBinding {
        var binding = self
        binding.known += further
        return binding
    }

    // MARK: What is judged

    /// An endpoint at each host that is not the issuer's own, also where the user agreed to it.
    public func endpointsElsewhere(in metadata: ProviderMetadata) -> [EndpointURL] {
        guard !isChosen else { return [] }
        var found: [EndpointURL] = []
        for url in ProviderMetadata.judged.compactMap({ metadata[keyPath: $0.path] }) {
            let host = EndpointHost(url)
            if !isOwn(host), !found.contains(where: { EndpointHost($0) == host }) { found.append(url) }
        }
        return found
    }

    /// The endpoints of its metadata that are not its own.
    public func foreignEndpoints(in metadata: ProviderMetadata) -> [ForeignEndpoint] {
        ProviderMetadata.judged.compactMap { member, path in
            guard let url = metadata[keyPath: path], let objection = objection(to: url) else { return nil }
            return ForeignEndpoint(member: member, host: EndpointHost(url), objection: objection)
        }
    }

    /// - Throws: if metadata name an endpoint that is not the issuer's own.
    public func check(_ metadata: ProviderMetadata) throws(EndpointRefusal) {
        let foreign = foreignEndpoints(in: metadata)
        guard !foreign.isEmpty else { return }
        throw .foreign(foreign, issuer: ProviderText.shown(issuer), command: command)
    }

    /// - Throws: if a page that an answer names is not the issuer's own: a hostile issuer could pass on a code of another's, which the user would
    ///   type there.
    public func check(codePage page: EndpointURL) throws(EndpointRefusal) {
        guard let objection = objection(to: page) else { return }
        let foreign = ForeignEndpoint(member: "verification_uri", host: EndpointHost(page), objection: objection)
        throw .foreign([foreign], issuer: ProviderText.shown(issuer), command: command)
    }

    /// - Parameter endpoint: the token endpoint as it is known now.
    /// - Throws: if a refresh token would be sent elsewhere than where it was issued. Metadata may move it only within the issuer's own hosts.
    public func check(renewalOf grant: Grant, at endpoint: EndpointURL) throws(EndpointRefusal) {
        guard !hasTokenEndpoint, let issuedAt = grant.tokenHost else { return }
        let there = EndpointHost(endpoint)
        guard there != issuedAt, !(isOwn(there) && isOwn(issuedAt)) else { return }
        throw .moved(to: there, from: issuedAt, issuer: ProviderText.shown(issuer))
    }
}

/// An issuer that is configured or built in, with the hosts of its endpoints.
public struct KnownIssuer: Sendable {
    let issuer: String?
    let name: String
    let hosts: Set<EndpointHost>

    /// - Parameter metadata: what is known of them.
    public init(_ provider: Provider, metadata: ProviderMetadata? = nil) {
        // Of an MCP server only what the configuration names: the rest is a stranger's word.
        let isServer = provider.server != nil
        issuer = isServer ? provider.server?.issuer : provider.issuer
        let texts = (isServer ? [] : provider.endpoints.all) + [issuer].compactMap(\.self)
        let discovered = isServer ? [] : ProviderMetadata.judged.compactMap { metadata?[keyPath: $0.path] }
        hosts = Set((texts.compactMap { try? EndpointURL($0) } + discovered).map(EndpointHost.init))
        name = issuer ?? provider.displayName
    }

    /// One that a host names in its own metadata.
    init(_ issuer: String, at endpoint: EndpointURL) {
        (self.issuer, name, hosts) = (issuer, issuer, [EndpointHost(endpoint)])
    }

    /// Before the configuration is applied.
    public static let builtIn = Catalogue.providers.map { KnownIssuer($0) }

    /// Some have no issuer, because they do not speak OpenID Connect.
    fileprivate func isIssuer(_ other: String, at host: EndpointHost) -> Bool {
        issuer.map { $0.isSameURL(as: other) } ?? hosts.contains(host)
    }
}

/// An endpoint of an issuer's metadata that is not the issuer's own.
public struct ForeignEndpoint: Sendable, Hashable {
    /// As the metadata name it: `token_endpoint`.
    public var member: String
    public var host: EndpointHost
    public var objection: IssuerBinding.Objection
}

/// Why nothing is sent to an endpoint.
public enum EndpointRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The issuer is cleaned for display. The command is how the user agrees to the hosts, without them.
    case foreign([ForeignEndpoint], issuer: String, command: String)
    case moved(to: EndpointHost, from: EndpointHost, issuer: String)

    public var description: String {
        switch self {
        case .foreign(let endpoints, let issuer, let command):
            if let another = endpoints.lazy.compactMap(\.owner).first {
                "the issuer \(issuer) has its \(another.member) at \(another.host), which is a host of \(another.owner), "
                    + "so nothing is sent there"
            } else {
                "the issuer \(issuer) has endpoints elsewhere than at its own host: \(Self.listed(endpoints)); only if you know that they "
                    + "are the issuer's, agree to that: \(command)\(Self.options(endpoints))"
            }
        case .moved(let host, let from, let issuer):
            "the token endpoint of \(issuer) is at \(host) now, and the refresh token was issued at \(from), so it was not sent; sign in again"
        }
    }

    private static func listed(_ endpoints: [ForeignEndpoint]) -> String {
        endpoints.hosts.map { host in
            "\(endpoints.lazy.filter { $0.host == host }.map(\.member).joined(separator: ", ")) at \(host)"
        }.joined(separator: "; ")
    }

    private static func options(_ endpoints: [ForeignEndpoint]) -> String { endpoints.hosts.map { " --endpoint-host \($0)" }.joined() }
}

extension ForeignEndpoint {
    fileprivate var owner: (member: String, host: EndpointHost, owner: String)? {
        if case .another(let owner) = objection { (member, host, owner) } else { nil }
    }
}

extension [ForeignEndpoint] {
    /// Each once.
    public var hosts: [EndpointHost] {
        var hosts: [EndpointHost] = []
        for endpoint in self where !hosts.contains(endpoint.host) { hosts.append(endpoint.host) }
        return hosts
    }

    /// The user can agree to all of them.
    public var areUnknown: Bool { allSatisfy { $0.objection == .unknown } }
}

extension ProviderMetadata {
    /// To which something of a user's or a client's is sent, or where the user goes.
    static let judged: [(member: String, path: KeyPath<ProviderMetadata, EndpointURL?> & Sendable)] = [
        ("authorization_endpoint", \.authorization), ("token_endpoint", \.token),
        ("device_authorization_endpoint", \.deviceAuthorization), ("registration_endpoint", \.registration),
        ("pushed_authorization_request_endpoint", \.pushedAuthorization), ("revocation_endpoint", \.revocation),
        ("introspection_endpoint", \.introspection), ("userinfo_endpoint", \.userinfo), ("end_session_endpoint", \.endSession),
    ]
}

extension ProviderEndpoints {
    var all: [String] {
        [
            authorization, token, userinfo, revocation, introspection, deviceAuthorization, jwks, pushedAuthorization, registration,
            endSession,
            requestToken,
        ].compactMap(\.self)
    }
}
