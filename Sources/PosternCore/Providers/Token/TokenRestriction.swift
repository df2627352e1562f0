/// How an access token is more restricted than the stored one: to one service (RFC 8707), to some of the scopes, or both.
///
/// Such a token exists only in memory. It is requested with the credential's refresh token, which loses nothing by it.
public struct TokenRestriction: Sendable, Hashable {
    /// Nil: whatever the credential's tokens are for.
    public let resource: String?
    /// In alphabetical order. Empty: everything that was granted.
    public let scopes: [String]

    public init(resource: String? = nil, scopes: [String] = []) {
        self.resource = resource
        self.scopes = Array(Set(scopes)).sorted()
    }
}

extension StoredCredential {
    /// The stored token is for this service alone. An MCP server's is for the server, also if no resource was sent.
    func isFor(_ resource: String) -> Bool {
        if let server = binding.server { return resource.isSameURL(as: binding.resource) || resource.isSameURL(as: server) }
        return grant.resources.count == 1 && grant.resources[0] == resource
    }
}

extension Provider {
    /// Whether a refresh can name the service that its access token is for.
    public var givesTokensForResources: Bool { kind != .oauth1 && dialect.givesTokensForResources }
}
