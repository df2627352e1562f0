/// The built-in providers. A new one has its own file and one line here.
public enum Catalogue {
    /// As they are before the configuration is applied: endpoints and formats, no client ID.
    public static let providers: [Provider] = [
        GitHub.provider,
        GitLab.provider,
        Google.provider,
        Microsoft.provider,
        Facebook.provider,
        Apple.provider,
        Twitter.provider,
        XPlatform.provider,
    ]

    /// Whether the authorization endpoints of a built-in provider are at this host; it may be configured under another name.
    static func hasAuthorizationServer(at host: String) -> Bool { providers.contains { $0.dialect.hasAuthorizationServer(at: host) } }

    public static func provider(_ id: String) -> Provider? { providers.first { $0.id == id } }
}
