/// Which registration at which provider a waiting sign-in or a stored credential belongs to.
///
/// A configuration can give a provider ID to another provider, or to another client there. What was begun with the first must not be sent
/// to the second: a code, a refresh token or an access token would be sent to a party it was not issued for (RFC 9700 section 4.4, mix-up).
public struct ProviderBinding: Sendable, Hashable {
    public var clientID: String
    /// The provider's identity: its issuer, or else the origin of its token endpoint.
    public var authority: String
    /// The origin of a token endpoint that the configuration sets in addition to the issuer.
    public var tokenOrigin: String?
    /// The resource that an MCP server's tokens are for; nil for other providers.
    public var resource: String?
    /// An MCP server's URL, as it was configured.
    public var server: String?

    public init(
        clientID: String, authority: String, tokenOrigin: String? = nil, resource: String? = nil, server: String? = nil
    ) {
        self.clientID = clientID
        self.authority = authority
        self.tokenOrigin = tokenOrigin
        self.resource = resource
        self.server = server
    }
}

extension ProviderBinding {
    /// Whether it is the same provider, possibly with another registration.
    public func isOfTheSameProvider(as other: ProviderBinding) -> Bool {
        authority == other.authority && tokenOrigin == other.tokenOrigin && resource == other.resource
            && server == other.server
    }
}

extension Provider {
    /// The binding of what is begun with this provider now.
    public var binding: ProviderBinding {
        // The origin and not the path: a provider may move its endpoints within its own host.
        let tokenOrigin = endpoints.token.map { text in
            guard let url = try? EndpointURL(text) else { return text }
            return "\(url.scheme.rawValue)://\(url.host):\(url.port)"
        }
        return ProviderBinding(
            clientID: clientID ?? "", authority: issuer ?? tokenOrigin ?? "", tokenOrigin: issuer == nil ? nil : tokenOrigin,
            resource: server?.resource, server: server?.url.text)
    }
}
