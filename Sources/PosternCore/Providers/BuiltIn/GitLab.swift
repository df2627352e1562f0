/// gitlab.com, and self-managed GitLab.
///
/// Differs from the standard in: refreshes that repeat the redirect URI, an `auth_time` of the latest sign-in.
struct GitLab: BuiltInProvider {
    static let provider = Provider(
        id: "gitlab.com",
        displayName: "GitLab",
        kind: .oidc,
        dialect: GitLab(),
        issuer: "https://gitlab.com",
        endpoints: endpoints(of: "https://gitlab.com"),
        scopes: ["openid", "profile", "email"],
        profileMapping: .openID,
        // Its refreshes also repeat the redirect URI exactly.
        redirectPort: .registered,
        serves: URLPrefix.all(["https://gitlab.com"]))

    private static func endpoints(of origin: String) -> ProviderEndpoints {
        ProviderEndpoints(
            authorization: "\(origin)/oauth/authorize", token: "\(origin)/oauth/token", userinfo: "\(origin)/oauth/userinfo",
            revocation: "\(origin)/oauth/revoke", introspection: "\(origin)/oauth/introspect",
            deviceAuthorization: "\(origin)/oauth/authorize_device", jwks: "\(origin)/oauth/discovery/keys")
    }

    // MARK: Configuration

    public var settings: [ProviderSetting] { [ProviderHost.setting] }

    public func configured(_ provider: Provider, with settings: ProviderSettings) throws(ProviderSettingError) -> Provider {
        guard let host = try ProviderHost(settings, mayHavePath: true) else { return provider }
        var provider = provider
        provider.issuer = host.origin
        provider.endpoints = Self.endpoints(of: host.origin)
        provider.serves = URLPrefix.all([host.origin])
        return provider
    }

    // MARK: Token

    public var usualClientAuthentication: ClientAuthentication { .clientSecretPost }

    /// Otherwise the refresh is refused; its answer contains two new tokens.
    public func refreshParameters(redirectURI: String) -> [(name: String, value: String)] { [("redirect_uri", redirectURI)] }

    public func advice(on refusal: OAuthRefusal) -> String? {
        switch refusal.error {
        case "invalid_client":
            "check client-id (the Application ID) and client-secret; a confidential application needs its secret, others have none"
        case "invalid_scope": "all requested scopes must be ticked for the application"
        case "invalid_grant": "sign in again; the callback URL may have changed"
        default: nil
        }
    }

    // MARK: ID token

    /// GitLab sets it to the user's latest sign-in on the website.
    public var keepsAuthenticationTime: Bool { false }
}

extension GitLab {
    static func registration(in context: RegistrationContext) -> ProviderRegistration {
        ProviderRegistration(
            page: .init(url: "https://\(context.host ?? "gitlab.com")/-/user_settings/applications"),
            fields: [.clientID("Application ID"), .clientSecret("Secret", whenEmpty: "Enter: not confidential, no secret")],
            purposes: [
                .init("git and API", provider.scopes + ["api", "write_repository"], isForGit: true),
                .init("API only", provider.scopes + ["api"]), .init("sign-in only", provider.scopes),
            ],
            scopeBoxes: "Tick these scopes there:",
            plainCallback: [
                "GitLab compares it byte for byte.",
                "Leave Confidential ticked for an application with a secret; without it there is none.",
            ],
            configuration: [
                "[provider.\"gitlab.com\"]", "client-id = \"…\"       # the Application ID",
                "client-secret = { file = \"\(context.directory)/gitlab.secret\" }   # leave out if it is not confidential",
                "# host = \"git.example.com\"   # for GitLab on your own host",
            ])
    }
}
