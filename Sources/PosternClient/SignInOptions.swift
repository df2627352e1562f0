import PosternInterface

/// What a program can say about the sign-in that it asks for. All of it may be left as it is.
public struct SignInOptions: Sendable, Hashable {
    /// In place of the configured ones.
    public var scopes: [String]?
    /// Sent with the authorization request; names that the protocol uses are refused.
    public var customParameters: [String: String]
    /// The account that is meant: an address or a name.
    public var loginHint: String?
    /// `device` gives a code to show (RFC 8628), in the events of ``PosternClient/signInEvents(with:intent:options:)``. Nil leaves it to
    /// the configuration there, and is `browser` everywhere else.
    public var flow: Provider.Flow?
    /// Who opens the page. `client` is for ``PosternClient/signInEvents(with:intent:options:)``, whose events have the address.
    public var presentation: Interface.SignIn.Presentation
    /// 1 to 3600; 600 where nil.
    public var timeoutSeconds: Int?

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
