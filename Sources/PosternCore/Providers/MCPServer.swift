/// A server of the Model Context Protocol, `[mcp.NAME]`: who issues its tokens is found from its URL (RFC 9728).
public struct MCPServer: Sendable, Hashable {
    /// As configured.
    public var url: EndpointURL
    /// The account that is meant: a hint for the page.
    public var login: String?
    /// One of several that the server names.
    public var issuer: String?
    /// `resource` is sent (RFC 8707); false if the issuer refuses it, which only the configuration can say.
    public var sendsResource = true
    /// A client is registered even where the client document would do.
    public var prefersRegistration = false
    /// Renewed even if nobody asks, so that its refresh token does not expire from disuse.
    public var keepsFresh = false

    public init(url: EndpointURL) { self.url = url }
}

extension Provider {
    /// A server as configured, before its issuer is known. It registers its client unless the configuration names one.
    public init(id: String, of server: MCPServer) {
        self.init(id: id, displayName: id, kind: .oauth2)
        self.server = server
        extensions.registersClient = true
        if let prefix = try? URLPrefix(server.url.text) { serves = [prefix] }
    }

    /// The provider whose issuer and resource were found when something was begun with this binding; itself if it is no MCP server's.
    public func located(by binding: ProviderBinding) -> Provider {
        guard server != nil, !binding.authority.isEmpty else { return self }
        return located(at: binding.authority, for: binding.resource)
    }

    /// - Parameters:
    ///   - issuer: who issues the server's tokens.
    ///   - resource: what they are for; nil if it is not named in requests.
    public func located(at issuer: String, for resource: String?) -> Provider {
        var provider = self
        provider.issuer = issuer
        provider.extensions.resources = resource.map { [$0] } ?? []
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
        guard let server, server.issuer == nil else { return .any }
        return .publicUnless(host: server.url.host)
    }
}
