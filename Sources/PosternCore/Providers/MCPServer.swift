/// A server of the Model Context Protocol, `[mcp.NAME]`: who issues its tokens is found from its URL (RFC 9728).
public struct MCPServer: Sendable, Hashable {
    /// As configured.
    public var url: EndpointURL
    /// The account that is meant: a hint for the page.
    public var login: String?
    /// One of several that the server names.
    public var issuer: String?
    /// Where its issuer has endpoints besides its own host: the user knows it, or agreed to it.
    public var endpointHosts: Set<EndpointHost> = []
    /// `resource` is sent (RFC 8707); false if the issuer refuses it, which only the configuration can say.
    public var sendsResource = true
    /// A client is registered even where the client document would do.
    public var prefersRegistration = false
    /// Renewed even if nobody asks, so that its refresh token does not expire from disuse.
    public var keepsFresh = false

    /// What its tokens are for, as it names it itself; nil before that is found, and for a server of MCP 2025-03-26, which names nothing.
    public var resource: String?

    public init(url: EndpointURL) { self.url = url }
}

extension MCPServer {
    /// The newest revision of the protocol that is known here.
    static let protocolVersion = "2026-07-28"

    /// Whether this is its URL. Another query is another server.
    public func isAt(_ other: EndpointURL) -> Bool {
        guard url.hasSameOrigin(as: other), url.query == other.query, let segments = try? url.decodedSegments() else { return false }
        return (try? other.decodedSegments()) == segments
    }

    /// Whether tokens with this binding are for the server. Its URL, or the issuer that is wanted, may have been changed since.
    func isCovered(by binding: ProviderBinding) -> Bool {
        binding.server == url.text && (issuer ?? binding.authority) == binding.authority
    }
}

extension Provider {
    /// A server as configured, before its issuer is known. It registers its client unless the configuration names one.
    public init(id: String, of server: MCPServer) {
        self.init(id: id, displayName: server.url.host, kind: .oauth2)
        self.server = server
        extensions.registersClient = true
        if let prefix = try? URLPrefix(server: server.url) { serves = [prefix] }
    }

    /// The server's provider as it was found when something was begun with this binding; nil if that was another server.
    public func located(by binding: ProviderBinding) -> Provider? {
        guard let server, server.isCovered(by: binding) else { return nil }
        return located(at: binding.authority, for: binding.resource)
    }

    /// - Parameters:
    ///   - issuer: who issues the server's tokens.
    ///   - resource: what they are for; nil if the server does not say.
    public func located(at issuer: String, for resource: String?) -> Provider {
        var provider = self
        provider.issuer = issuer
        provider.server?.resource = resource
        let isSent = server?.sendsResource ?? false
        provider.extensions.resources = isSent ? resource.map { [$0] } ?? [] : []
        return provider
    }

    /// Its client is the client document (OAuth Client ID Metadata Document): a public one, that nobody registers.
    public func using(clientDocument url: String) -> Provider {
        var provider = self
        provider.clientID = url
        provider.clientAuthentication = ClientAuthentication.none
        provider.extensions.registersClient = false
        return provider
    }

    /// Which addresses its requests may go to: URLs that a server names may lead anywhere.
    public var addressRule: AddressRule {
        guard let server, server.issuer == nil || server.issuer != issuer else { return .any }
        return .publicUnless(host: server.url.host)
    }
}
