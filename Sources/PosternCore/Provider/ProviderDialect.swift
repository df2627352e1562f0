/// What a provider does in its own way. The default is the standard's way.
public protocol ProviderDialect: Sendable {}

/// OAuth 2.0 and OpenID Connect as they are written.
public struct StandardDialect: ProviderDialect {
    public init() {}
}
