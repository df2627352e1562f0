/// A provider of the catalogue: what it is, how it differs, and how an app is registered there.
protocol BuiltInProvider: ProviderDialect {
    /// As it is before the configuration is applied: endpoints and formats, no client ID.
    static var provider: Provider { get }

    static func registration(in context: RegistrationContext) -> ProviderRegistration
}

/// The built-in providers. A new one has its own file and one line here.
public enum Catalogue {
    private static let builtIn: [any BuiltInProvider.Type] = [
        GitHub.self,
        GitLab.self,
        Google.self,
        Microsoft.self,
        Facebook.self,
        Apple.self,
        Twitter.self,
        XPlatform.self,
    ]

    /// As they are before the configuration is applied.
    public static let providers: [Provider] = builtIn.map { $0.provider }

    /// Whether the authorization endpoints of a built-in provider are at this host; it may be configured under another name.
    static func hasAuthorizationServer(at host: String) -> Bool { providers.contains { $0.dialect.hasAuthorizationServer(at: host) } }

    public static func provider(_ id: String) -> Provider? { providers.first { $0.id == id } }

    /// Nil for a provider that is not built in.
    public static func registration(at id: String, in context: RegistrationContext) -> ProviderRegistration? {
        builtIn.first { $0.provider.id == id }?.registration(in: context)
    }
}
