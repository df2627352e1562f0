/// The scopes of a sign-in at a resource's issuer (MCP 2026-07-28).
public struct ResourceScopes: Sendable, Hashable {
    /// Who chose them.
    public enum Source: String, Sendable {
        case configuration, challenge, document, nobody
    }

    public var source: Source
    /// Empty: the request has no `scope`.
    public var requested: [String]

    /// - Parameter configured: what is written there is what is requested.
    public init(configured: [String]?, at server: ResourceServer, of issuer: ProviderMetadata) {
        let chosen: [String]
        switch (configured, server.challengedScopes, server.scopesSupported) {
        case (let scopes?, _, _): (source, chosen) = (.configuration, scopes)
        case (nil, let scopes?, _): (source, chosen) = (.challenge, scopes)
        case (nil, nil, let scopes?): (source, chosen) = (.document, scopes)
        case (nil, nil, nil): (source, chosen) = (.nobody, [])
        }
        requested = configured == nil ? Self.withOfflineAccess(chosen, at: issuer) : chosen
    }

    /// `offline_access` where the issuer lists it, and nowhere else (SEP-2207). Alone it would be a request for nothing else, where none is one
    /// for what the issuer thinks right.
    private static func withOfflineAccess(_ scopes: [String], at issuer: ProviderMetadata) -> [String] {
        let others = scopes.filter { $0 != OfflineAccess.scope }
        return issuer.listsOfflineAccess && !others.isEmpty ? others + [OfflineAccess.scope] : others
    }
}
