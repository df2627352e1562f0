import PosternCore

/// The content of the configuration files, checked; omitted keys have their defaults.
public struct Configuration: Sendable {
    public var callback = Callback()
    public var signIn = SignIn()
    public var accounts = Accounts()
    public var secondFactors = SecondFactors()
    public var store = Store()
    public var daemon = Daemon()
    public var attention = Attention()
    public var registration = Registration()
    /// In the order of the files; built-in providers that no file mentions come last, with their problem.
    public var providers: [ConfiguredProvider] = []
    /// `[account.NAME]`
    public var namedAccounts = AccountDirectory()
    /// Mistakes in the files of packages and of the administrator, which the user cannot fix: each is ignored with its section or its file,
    /// and the rest of the configuration is used.
    public var leftOut: [ConfigurationError] = []

    public init() {}

    public func provider(_ id: String) -> ConfiguredProvider? { providers.first { $0.provider.id == id } }
}

/// A provider as the configuration describes it, its secret not yet fetched.
public struct ConfiguredProvider: Sendable {
    /// `clientSecret` is nil; `problem` is set if the client ID or a required secret is not configured.
    public var provider: Provider
    /// The source of its client secret; nil for a public client.
    public var secret: SecretSource?
    /// The sources of its other secrets, by their keys.
    public var furtherSecrets: [String: SecretSource] = [:]
    /// The browser that shows its page, if not the one of `[sign-in]`.
    public var browser = BrowserChoice()
    /// False for a built-in provider that has no section in any file.
    public var isMentioned = true
    /// What others' files say about it is left out, with the reason.
    public var isBlocked = false

    /// With nothing in it that could be used.
    func blocked(because error: ConfigurationError) -> ConfiguredProvider {
        var blocked = ConfiguredProvider(provider: provider, isBlocked: true)
        blocked.provider.clientID = nil
        blocked.provider.serves = []
        blocked.provider.problem = "its section is not used because of a mistake: \(error)"
        return blocked
    }
}
