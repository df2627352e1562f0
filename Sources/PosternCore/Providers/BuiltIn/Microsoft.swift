import StrictJSON

/// microsoft.com: Microsoft Entra, with organisations' and personal accounts.
///
/// Differs from the standard in: an issuer for each tenant, keys that belong to issuers, callbacks only to `localhost`, unverified
/// addresses, error numbers, scopes that are not always named, no revocation.
struct Microsoft: BuiltInProvider {
    private static let host = "https://login.microsoftonline.com"
    private static let placeholder = "{tenantid}"
    /// No token has this one: the claim `tid` replaces the placeholder.
    private static let issuer = "\(host)/\(placeholder)/v2.0"

    static let provider = Provider(
        id: "microsoft.com", displayName: "Microsoft", kind: .oidc, dialect: Microsoft(tenant: .common), issuer: issuer,
        endpoints: endpoints(of: .common),
        // Without offline_access there is no refresh token, and a token is valid for an hour.
        scopes: ["openid", "profile", "email", "offline_access"],
        profileMapping: .openID,
        // With any port, which it ignores. 127.0.0.1 can be registered only in the manifest, and [::1] not at all.
        redirectHost: .localhost,
        serves: URLPrefix.all(["https://graph.microsoft.com", "https://dev.azure.com"]))

    private static func endpoints(of tenant: MicrosoftTenant) -> ProviderEndpoints {
        let base = "\(host)/\(tenant.segment)"
        return ProviderEndpoints(
            authorization: "\(base)/oauth2/v2.0/authorize", token: "\(base)/oauth2/v2.0/token",
            userinfo: "https://graph.microsoft.com/v1.0/me",
            deviceAuthorization: "\(base)/oauth2/v2.0/devicecode", jwks: "\(base)/discovery/v2.0/keys",
            // Discovery could not find it: the issuer contains a placeholder.
            endSession: "\(base)/oauth2/v2.0/logout")
    }

    let tenant: MicrosoftTenant

    // MARK: Refresh token

    public func renewalScope(of provider: Provider) -> String? { OfflineAccess.scope }

    // MARK: Configuration

    private static let tenantKey = "tenant"

    public var settings: [ProviderSetting] { [ProviderSetting(key: Self.tenantKey, kind: .text)] }

    public func configured(_ provider: Provider, with settings: ProviderSettings) throws(ProviderSettingError) -> Provider {
        guard let text = settings.texts[Self.tenantKey] else { return provider }
        guard let tenant = MicrosoftTenant(text) else {
            throw ProviderSettingError(
                key: Self.tenantKey,
                problem: "must be \"common\", \"organizations\", \"consumers\", or a tenant's ID or domain, "
                    + "such as \"contoso.onmicrosoft.com\"")
        }
        var provider = provider
        provider.dialect = Microsoft(tenant: tenant)
        provider.endpoints = Self.endpoints(of: tenant)
        return provider
    }

    // MARK: Authorization

    /// `auth_time` is a claim that few applications have.
    public func askingAgain(at provider: Provider) -> [String: String] { ["prompt": "login"] }

    /// It is part of the page's URL and of what is checked, so only the configuration sets it.
    public var reservedParameters: Set<String> { [Self.tenantKey] }

    /// Nil while the tenant is unknown.
    public func authorizationResponseIssuer(of provider: Provider, authorization: EndpointURL) -> String? {
        provider.issuer == Self.issuer ? nil : provider.issuer
    }

    /// Those of the public and the national clouds, and of tenants for customers. They need no consent for offline_access, and in many tenants
    /// only an administrator can give it.
    public func hasAuthorizationServer(at host: String) -> Bool {
        ["login.microsoftonline.com", "login.microsoftonline.us", "login.partner.microsoftonline.cn", "login.microsoft.com"].contains(host)
            || host.ends(with: ".ciamlogin.com") || host.ends(with: ".b2clogin.com")
    }

    public func denial(in parameters: CallbackParameters) -> (error: String, description: String?)? {
        parameters.error.map { ($0, parameters.errorDescription.map(MicrosoftError.sentence)) }
    }

    // MARK: Token

    public var usualClientAuthentication: ClientAuthentication { .clientSecretPost }

    /// Each access token is for one service, and each refresh token for all of them.
    public var givesTokensForResources: Bool { true }

    public func narrowsScopes(of provider: Provider) -> Bool { true }

    /// It refuses `resource`: a service is named in its scopes, and `.default` stands for everything that was agreed to there.
    public func parameters(of restriction: TokenRestriction) -> [(name: String, value: String)] {
        guard let resource = restriction.resource else { return [("scope", restriction.scopes.joined(separator: " "))] }
        guard !restriction.scopes.isEmpty else { return [("scope", "\(resource)/.default")] }
        return [("scope", restriction.scopes.map { $0.holds("://") ? $0 : "\(resource)/\($0)" }.joined(separator: " "))]
    }

    /// `invalid_grant` is also its error for a service that the user has not agreed to.
    public func endsRefreshToken(_ error: TokenEndpointError, asking restriction: TokenRestriction) -> Bool { false }

    public func refusal(in members: JSONObject, status: Int) -> TokenEndpointError? { MicrosoftError.refusal(in: members, status: status) }

    // MARK: ID token

    public func issuerRule(of provider: Provider) -> IssuerRule {
        guard provider.issuer == Self.issuer else { return .exact(provider.issuer) }
        return .template(Self.issuer, placeholder: Self.placeholder, claim: "tid", allowed: tenant.allowed)
    }

    public func check(_ claims: IDTokenClaims, of provider: Provider, parameters: [String: String]) throws(IDTokenRejection) {
        guard tenant == .organizations, claims.document["tid"]?.stringValue == MicrosoftTenant.personal else { return }
        throw .ruleOfProvider("the account is a personal one, but one of an organisation was requested (tenant)")
    }

    /// All tenants share their keys, and the ID of one that is named by its domain is not known here. A token from the tenant's own token
    /// endpoint is its own; one that a program presents could be any tenant's.
    public func problemOfPresentedTokens(of provider: Provider) -> String? {
        guard case .domain = tenant, provider.issuer == Self.issuer else { return nil }
        return "its tenant is configured as a domain, which cannot distinguish an ID token from another tenant's; "
            + "set tenant to the tenant's ID"
    }

    // MARK: Scopes

    /// Granted with the others, and not always named.
    private static let silent: Set<String> = ["openid", "profile", "email", "offline_access"]
    private static let graph = "https://graph.microsoft.com/"

    public func missingScopes(asked: [String], granted: [String]) -> [String] {
        let granted = Set(granted.map(Self.name))
        return asked.filter { !Self.silent.contains($0) && !granted.contains(Self.name($0)) }
    }

    /// `User.Read` is the same as `https://graph.microsoft.com/user.read`.
    private static func name(_ scope: String) -> String {
        let name = scope.lowercased()
        return name.rest(after: graph).map(String.init) ?? name
    }

    // MARK: Profile

    /// Graph, if the token is valid for it. The ID token contains enough without it.
    public func nextProfileRequest(after answers: [ProviderResponse], in context: ProfileContext) -> ProviderRequest? {
        guard answers.isEmpty, let me = context.provider.userinfo, objectID(in: context) != nil,
            missingScopes(asked: ["User.Read"], granted: context.grant.scopes).isEmpty
        else { return nil }
        return context.request(me)
    }

    /// The subject is `sub`, which every token has; `oid`, which is the same for all applications, is only there with the scope `profile`.
    ///
    /// An address in a token is whatever an administrator entered, so only a token that says that the tenant owns its domain
    /// (the optional claim `xms_edov`) makes it verified, and one that denies it makes it unverified.
    public func profile(from answers: [ProviderResponse], in context: ProfileContext) throws(ProfileError) -> ProviderProfile {
        var profile = try StandardProfile(userinfo: nil, idToken: context.idToken, provider: context.provider.provider).profile()
        profile.identity.emailVerified = profile.identity.email == nil ? nil : isVerified(profile.identity, context.idToken)
        // Whatever Graph's error is, it is known who signed in.
        guard let answer = answers.first, let me = try? ProfileDocument(from: answer, now: context.now) else { return profile }
        guard let id = me["id"]?.stringValue, Self.digits(id) == objectID(in: context) else { throw .subjectMismatch }
        profile.identity.displayName = profile.identity.displayName ?? me.name("displayName")
        profile.identity.username = profile.identity.username ?? me.name("userPrincipalName")
        profile.identity.email = profile.identity.email ?? me.emailAddress("mail")
        profile.document = me.members
        return profile
    }

    /// Nil for a token that does not say who owns the domain.
    private func isVerified(_ identity: Identity, _ idToken: VerifiedIDToken?) -> Bool? {
        guard identity.emailVerified != false else { return false }
        switch idToken?.claims.document["xms_edov"] {
        case nil, .null?: return nil
        case .bool(true)?, .integer(1)?, .string("1")?, .string("true")?: return true
        default: return false
        }
    }

    private func objectID(in context: ProfileContext) -> String? {
        context.idToken?.claims.document["oid"]?.stringValue.map(Self.digits)
    }

    /// Graph writes a personal account's ID without the zeros and hyphens of `oid`.
    private static func digits(_ id: String) -> String {
        String(id.lowercased().keeping { $0 != "-" }.skipping { $0 == "0" })
    }
}

extension Microsoft {
    static func registration(in context: RegistrationContext) -> ProviderRegistration {
        ProviderRegistration(
            page: .init(url: "https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/CreateApplicationBlade"),
            fields: [.clientID("Application (client) ID")],
            // A token is for one service: mail, or Graph.
            purposes: [
                .init(
                    "mail",
                    provider.scopes
                        + ["IMAP.AccessAsUser.All", "POP.AccessAsUser.All", "SMTP.Send"].map { "https://outlook.office.com/\($0)" }),
                .init("Microsoft Graph API", provider.scopes + ["User.Read"]), .init("sign-in only", provider.scopes),
            ],
            scopeBoxes: "Add these under API permissions, Delegated permissions:",
            plainCallback: [
                "Register it for the platform Mobile and desktop applications, as http://localhost/__/auth/handler:",
                "the port may be left out and does not matter, the path does. 127.0.0.1 is not accepted there.",
            ],
            configuration: [
                "[provider.\"microsoft.com\"]", "client-id = \"…\"       # the Application (client) ID; there is no secret",
                "# tenant = \"organizations\"   # or \"consumers\", or a tenant's ID or domain; \"common\" is everybody",
            ],
            secret: [])
    }
}

/// Whose accounts may sign in: the segment of Entra's URLs that names a tenant, or many.
enum MicrosoftTenant: Sendable, Hashable {
    /// Everybody: organisations' and personal accounts.
    case common
    case organizations
    /// Personal accounts.
    case consumers
    /// By its ID, in lower case.
    case id(String)
    /// By one of its domains. Its ID is not known here: an account is bound to it because the keys and the token are from the tenant's own
    /// URLs.
    case domain(String)

    /// Nil if the text is none of them.
    init?(_ text: String) {
        let text = text.lowercased()
        switch text {
        case "common": self = .common
        case "organizations": self = .organizations
        case "consumers": self = .consumers
        case _ where Self.isID(text): self = .id(text)
        case _ where Self.isDomain(text): self = .domain(text)
        default: return nil
        }
    }

    var segment: String {
        switch self {
        case .common: "common"
        case .organizations: "organizations"
        case .consumers: "consumers"
        case .id(let text), .domain(let text): text
        }
    }

    /// The tenant of all personal accounts.
    static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"

    /// The tenants (`tid`) whose tokens are accepted; nil if all are.
    var allowed: [String]? {
        switch self {
        case .common, .organizations, .domain: nil
        case .consumers: [Self.personal]
        case .id(let id): [id]
        }
    }

    /// 8-4-4-4-12 hexadecimal digits.
    private static func isID(_ text: String) -> Bool {
        let groups = text.parts(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.allSatisfy { $0.utf8.allSatisfy(\.isHexadecimalDigit) }
    }

    private static func isDomain(_ text: String) -> Bool {
        guard text.unicodeScalars.contains("."), let url = try? EndpointURL("https://\(text)") else { return false }
        return url.host == text && url.path.isEmpty && url.query == nil
    }
}

/// Entra's errors: OAuth's names, more specific numbers, and a sentence followed by identifiers for its support.
enum MicrosoftError {
    /// Nil if the standard's reading is as good.
    static func refusal(in members: JSONObject, status: Int) -> TokenEndpointError? {
        guard let error = members["error"]?.stringValue, !error.isEmpty, let codes = members["error_codes"]?.arrayValue,
            // These are transient, and read as everybody's.
            !["temporarily_unavailable", "server_error", "slow_down"].contains(error)
        else { return nil }
        var refusal = OAuthRefusal(status: status, word: error, sentence: members["error_description"]?.stringValue.map(sentence))
        for case .integer(let code) in codes.prefix(8) where refusal.advice == nil { refusal.advice = advice[code] }
        return .refused(refusal)
    }

    /// Without the trace and correlation IDs, which are on separate lines or, in newer answers, after two spaces.
    static func sentence(_ description: String) -> String {
        let line = description.before { $0 == "\n" || $0 == "\r" }
        guard let end = line.range(ofText: " Trace ID: ")?.lowerBound else { return String(line) }
        return String(line[..<end])
    }

    /// By the number in "AADSTS…".
    private static let advice: [Int64: String] = [
        50011: "register the callback URL that `postern provider show microsoft.com` names, for mobile and desktop applications",
        50020: "the account is of no tenant that the application is for; check tenant, and the application's supported account types",
        50057: "the account is disabled; its administrator can enable it",
        50076: "the organisation asks for another proof of identity; sign in again",
        50079: "the organisation asks for another proof of identity; sign in again",
        50194: "the application is for one tenant: set tenant to that one's ID",
        53003: "the organisation's access policy does not allow this; its administrator knows why",
        54005: "the code was used before; sign in again",
        65001: "the user, or their administrator, must consent first; sign in again",
        70008: "the code or the refresh token is too old; sign in again",
        90002: "there is no such tenant; check tenant",
        500113: "register the callback URL that `postern provider show microsoft.com` names, for mobile and desktop applications",
        700016: "the tenant does not have this application; check client-id and tenant",
        700025: "the application is a public client; remove client-secret from the configuration",
        700082: "the refresh token was not used for too long; sign in again",
        7_000_215: "the client-secret is wrong; use the secret's value, not its ID",
        7_000_218: "register the callback URL for mobile and desktop applications, and allow public client flows; or set client-secret",
        7_000_222: "the client-secret has expired; create a new one",
        9_002_326: "register the callback URL for mobile and desktop applications, not for a single-page application",
        9_002_327: "register the callback URL for mobile and desktop applications, not for a single-page application",
        9_002_331: "the application is for personal accounts: set tenant = \"consumers\"",
        9_002_346: "the application is for personal accounts: set tenant = \"consumers\"",
    ]
}
