/// Which registration at which provider a waiting sign-in or a kept credential belongs to.
///
/// A configuration can give a provider ID to another provider, or to another client there. What was begun with the first must
/// not be sent to the second: a code, a refresh token or an access token would go to somebody it was not made for
/// (RFC 9700 section 4.4, mix-up).
public struct ProviderBinding: Sendable, Hashable {
    public var clientID: String
    /// Who the provider is: its issuer, else the origin of its token endpoint.
    public var authority: String
    /// The origin of a token endpoint that the configuration fixes beside the issuer.
    public var tokenOrigin: String?

    public init(clientID: String, authority: String, tokenOrigin: String? = nil) {
        self.clientID = clientID
        self.authority = authority
        self.tokenOrigin = tokenOrigin
    }
}

extension ProviderBinding {
    /// The same provider, though perhaps under another registration.
    public func isOfTheSameProvider(as other: ProviderBinding) -> Bool {
        authority == other.authority && tokenOrigin == other.tokenOrigin
    }
}

extension Provider {
    /// What is begun with this provider now is bound to.
    public var binding: ProviderBinding {
        // The origin and not the path: a provider may move its endpoints within its own host.
        let tokenOrigin = endpoints.token.map { text in
            guard let url = try? EndpointURL(text) else { return text }
            return "\(url.scheme.rawValue)://\(url.host):\(url.port)"
        }
        return ProviderBinding(
            clientID: clientID ?? "", authority: issuer ?? tokenOrigin ?? "", tokenOrigin: issuer == nil ? nil : tokenOrigin)
    }
}
