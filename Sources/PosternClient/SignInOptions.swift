import PosternInterface

/// Options of a sign-in. All may keep their defaults.
public struct SignInOptions: Sendable, Hashable {
    /// Used instead of the configured scopes.
    public var scopes: [String]?
    /// Added to the authorization request; names that the protocol uses are refused.
    public var customParameters: [String: String]
    /// The expected account: an address or a name.
    public var loginHint: String?
    /// `device` gives a code to type on another device (RFC 8628): in the events of ``PosternClient/signInEvents(with:intent:options:)``,
    /// or on standard error from the calls that wait for the end. Nil leaves the choice to the provider and the configuration.
    public var flow: Provider.Flow?
    /// Who opens the page. `client` is for ``PosternClient/signInEvents(with:intent:options:)``, whose events contain the address.
    public var presentation: Interface.SignIn.Presentation
    /// How long the page may wait for the user, in seconds from 1 to 3600; nil: as the configuration says, usually 600.
    public var timeoutSeconds: Int?

    /// Options that differ from the defaults only where they are given.
    public init(
        scopes: [String]? = nil, customParameters: [String: String] = [:], loginHint: String? = nil,
        flow: Provider.Flow? = nil, presentation: Interface.SignIn.Presentation = .daemon, timeoutSeconds: Int? = nil
    ) {
        self.scopes = scopes
        self.customParameters = customParameters
        self.loginHint = loginHint
        self.flow = flow
        self.presentation = presentation
        self.timeoutSeconds = timeoutSeconds
    }
}
