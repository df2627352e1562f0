/// google.com: OpenID Connect.
///
/// Differs from the standard in: two spellings of its issuer, refresh tokens that are requested by a parameter, scopes with two names,
/// accounts of hosted domains (`hd`), a revocation without the client's credentials.
struct Google: BuiltInProvider {
    static let issuer = "https://accounts.google.com"

    static let provider = Provider(
        id: "google.com",
        displayName: "Google",
        kind: .oidc,
        dialect: Google(),
        issuer: issuer,
        endpoints: ProviderEndpoints(
            authorization: "https://accounts.google.com/o/oauth2/v2/auth",
            token: "https://oauth2.googleapis.com/token",
            userinfo: "https://openidconnect.googleapis.com/v1/userinfo",
            revocation: "https://oauth2.googleapis.com/revoke",
            introspection: "https://oauth2.googleapis.com/tokeninfo",
            deviceAuthorization: "https://oauth2.googleapis.com/device/code",
            jwks: "https://www.googleapis.com/oauth2/v3/certs"),
        scopes: ["openid", "email", "profile"],
        // Without it there is no refresh token, and a token is valid for an hour.
        parameters: ["access_type": "offline"],
        profileMapping: .openID,
        emailTrust: .hosting(["gmail.com"], claim: hostedDomain),
        serves: URLPrefix.all(services.map { "https://\($0).googleapis.com" }))

    /// Each API has its own host. Others are configured with `serves`.
    private static let services = [
        "www", "openidconnect", "oauth2", "people", "gmail", "calendar-json", "drive", "docs", "sheets", "slides", "forms", "tasks", "chat",
        "meet", "keep", "classroom", "script", "admin", "cloudidentity", "photoslibrary", "youtube", "youtubeanalytics", "blogger", "books",
        "analyticsdata", "analyticsadmin", "searchconsole", "cloudresourcemanager", "serviceusage", "iam", "iamcredentials", "compute",
        "container", "run", "cloudfunctions", "cloudbuild", "artifactregistry", "storage", "bigquery", "pubsub", "firestore", "firebase",
        "secretmanager", "cloudkms", "logging", "monitoring", "dns", "aiplatform", "generativelanguage",
    ]

    /// The claim, and the parameter, for an organisation's domain.
    private static let hostedDomain = "hd"

    // MARK: Authorization

    /// Google has no `prompt=login`, and no `auth_time` that everybody gets.
    public func askingAgain(at provider: Provider) -> [String: String] { ["prompt": "select_account"] }

    // MARK: Refresh token

    public func renewalAdvice(signIn: String) -> String? {
        "it gives one when it asks for your consent: postern sign-in \(signIn) --param prompt=consent"
    }

    // MARK: Token

    /// Clients of the type "Desktop app" have a secret that is not secret; clients of other types may have none.
    public var usualClientAuthentication: ClientAuthentication { .clientSecretPost }

    public func advice(on refusal: OAuthRefusal) -> String? {
        switch refusal.error {
        case "invalid_client", "unauthorized_client":
            "check client-id and client-secret; a client of the type Desktop app has both"
        case "invalid_request":
            "if the client has a secret, it must also be in the configuration, as client-secret"
        case "redirect_uri_mismatch":
            "use a client of the type Desktop app, or register the URL that `postern provider show google.com` names"
        case "invalid_grant":
            "sign in again; while the app's publishing status is Testing, a sign-in lasts seven days"
        default: nil
        }
    }

    /// Its refresh tokens keep everything that was granted, whatever a refresh requests.
    public func narrowsScopes(of provider: Provider) -> Bool { true }

    // MARK: ID token

    /// Google issues tokens with either spelling.
    public func issuerRule(of provider: Provider) -> IssuerRule {
        provider.issuer == Self.issuer ? .anyOf([Self.issuer, "accounts.google.com"]) : .exact(provider.issuer)
    }

    /// `hd` in the request is only a wish, and anybody can remove it from the URL: only the claim says where the account belongs.
    public func check(_ claims: IDTokenClaims, of provider: Provider, parameters: [String: String]) throws(IDTokenRejection) {
        let found = claims.document[Self.hostedDomain]?.stringValue
        // A program may narrow the configured value, and never widen it.
        for case let asked? in [provider.parameters[Self.hostedDomain], parameters[Self.hostedDomain]] {
            if let found, asked == "*" || asked.lowercased() == found.lowercased() { continue }
            let owner = found.flatMap { ProviderText.cleaned($0, longest: ProviderText.longestName) } ?? "no organisation"
            let wanted = asked == "*" ? "an organisation's" : ProviderText.cleaned(asked, longest: ProviderText.longestName) ?? "another"
            throw .ruleOfProvider("the account belongs to \(owner), but one of \(wanted) was requested (hd)")
        }
    }

    // MARK: Scopes

    /// Google's names for two of OpenID's scopes in its answers.
    private static let otherNames = [
        "https://www.googleapis.com/auth/userinfo.email": "email",
        "https://www.googleapis.com/auth/userinfo.profile": "profile",
    ]

    /// Users may grant some of the scopes and not others.
    public func missingScopes(asked: [String], granted: [String]) -> [String] {
        let granted = Set(granted.map(Self.name))
        return asked.filter { !granted.contains(Self.name($0)) }
    }

    private static func name(_ scope: String) -> String { otherNames[scope] ?? scope }

    // MARK: Profile

    /// Usually everything is in the ID token.
    public func nextProfileRequest(after answers: [ProviderResponse], in context: ProfileContext) -> ProviderRequest? {
        guard answers.isEmpty, let userinfo = context.provider.userinfo else { return nil }
        guard let idToken = context.idToken else { return context.request(userinfo) }
        let hasName = idToken.claims.document["name"] != nil
        guard !hasName, missingScopes(asked: ["profile"], granted: context.grant.scopes).isEmpty else { return nil }
        return context.request(userinfo)
    }

    // MARK: Access tokens that a program obtained

    /// `tokeninfo`, which also accepts the token in a form, so that it need not be in a URL.
    public func audienceLookup(
        about grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> AudienceLookup {
        guard let endpoint = provider.introspection else { return .impossible }
        return .ask(.form([("access_token", grant.accessToken.reveal())], to: endpoint, from: .none))
    }

    /// `aud` is the client that the token was issued for, `azp` the one that requested it; neither may be another one.
    public func presentedToken(
        in answer: ProviderResponse, at provider: ResolvedProvider, now: Timestamp
    ) throws(PresentedTokenError) -> PresentedAccessToken {
        // The answer to an invalid token is 400.
        if answer.status == 400 { throw .notGood }
        let answer = try AudienceAnswer(answer, now: now)
        try answer.requireClient("aud", provider.clientID)
        if answer.members["azp"] != nil { try answer.requireClient("azp", provider.clientID) }
        return PresentedAccessToken(
            subject: try answer.optional("sub"), scopes: answer.members["scope"]?.stringValue.map(decodeScopes),
            expiresAt: try answer.end("exp", now: now))
    }

    // MARK: Revocation

    /// Revoking one token also revokes the other; the token itself is the only authorization.
    public func revocationRequests(
        for grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> [ProviderRequest] {
        guard let endpoint = provider.revocation else { return [] }
        let token = grant.refreshToken ?? grant.accessToken
        return [.form([("token", token.reveal())], to: endpoint, from: .none)]
    }

    /// For a token that is no longer valid, RFC 7009 section 2.2 requires 200, but Google answers 400.
    public func revocationOutcome(of answer: ProviderResponse, now: Timestamp) -> RevocationOutcome {
        let outcome = RevocationOutcome(answer: answer, now: now)
        if case .refused(let refusal) = outcome, refusal.error == "invalid_token" { return .revoked }
        return outcome
    }

    // MARK: Device flow

    /// Parameters of an authorization request (`access_type`, `hd`) are unknown here; a refresh token is issued anyway.
    public var wantsBareDeviceRequests: Bool { true }
}

extension Google {
    static func registration(in context: RegistrationContext) -> ProviderRegistration {
        ProviderRegistration(
            page: .init(url: "https://console.cloud.google.com/auth/clients/create"),
            fields: [.clientID("Client ID"), .clientSecret("Client secret")],
            purposes: [
                .init("mail", provider.scopes + ["https://mail.google.com/"]),
                .init("Google Cloud API", provider.scopes + ["https://www.googleapis.com/auth/cloud-platform"]),
                .init("sign-in only", provider.scopes),
            ],
            scopeBoxes: "Add these scopes to the consent screen (Data Access, Add or remove scopes):",
            beforePlainCallback: "Google redirects to this callback URL:",
            plainCallback: [
                "A client of the type Desktop app accepts it with any port: there is nothing to register.",
                "A client of the type Web application must have it among its Authorized redirect URIs, byte for byte.",
            ],
            configuration: [
                "[provider.\"google.com\"]", "client-id = \"…\"       # ends in .apps.googleusercontent.com",
                "client-secret = { file = \"\(context.directory)/google.secret\" }   # a Desktop app has one, too",
                "# parameters = { hd = \"example.com\" }   # only accounts of this organisation",
            ])
    }
}
