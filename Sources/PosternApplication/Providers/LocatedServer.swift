import PosternCore

/// An MCP server as it was found from its URL.
struct LocatedServer {
    var server: ResourceServer
    var issuer: ProviderMetadata
    var scopes: ResourceScopes
    /// Whose the hosts of its endpoints are that are not the issuer's own, as far as they say themselves.
    var others: [KnownIssuer]
    /// Its provider: the issuer, the resource and the scopes of a sign-in are those that were found.
    var provider: Provider
}
