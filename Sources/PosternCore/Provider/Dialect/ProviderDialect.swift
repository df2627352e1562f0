/// What a provider does in its own way, role by role. The defaults of each are the standard's way, so that a provider states its
/// differences only.
///
/// All of it decides and nothing acts: requests are described, answers are read, and who carries them between is the caller.
public protocol ProviderDialect: ClientDialect, AuthorizationDialect, TokenDialect, IDTokenDialect, ProfileDialect, PresentedTokenDialect,
    RevocationDialect, DeviceDialect
{}

/// OAuth 2.0 and OpenID Connect as they are written.
public struct StandardDialect: ProviderDialect {
    public init() {}
}
