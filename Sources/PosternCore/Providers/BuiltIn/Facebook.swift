import StrictJSON

/// facebook.com: OAuth 2.0; with `limited = true`, ``FacebookLimited``.
///
/// Differs from the standard in: scopes separated by commas, errors that are objects, failures in the callback without `error`, a proof of
/// the client secret with every token, no refresh tokens but tokens of sixty days that renew themselves, the Graph API's profile and
/// revocation.
struct Facebook: BuiltInProvider {
    static let provider = classic(version: version)

    /// Of the Graph API. Facebook supports each for at least two years.
    static let version = "v25.0"

    // MARK: Configuration

    public var settings: [ProviderSetting] { Self.settings }

    static let settings: [ProviderSetting] = [
        .init(key: "limited", kind: .flag), .init(key: "api-version", kind: .text), .init(key: clientToken, kind: .secret),
    ]

    public func configured(_ provider: Provider, with settings: ProviderSettings) throws(ProviderSettingError) -> Provider {
        let version = settings.texts["api-version"] ?? Self.version
        guard Self.isVersion(version) else {
            throw ProviderSettingError(key: "api-version", problem: "must be a version of the Graph API, such as \"\(Self.version)\"")
        }
        if settings.flags["limited"] == true { return FacebookLimited.provider(version: version) }
        var provider = Self.classic(version: version)
        // The device flow sends a client token; without one the flow is not offered.
        if settings.secrets.contains(Self.clientToken) {
            provider.endpoints.deviceAuthorization = "https://graph.facebook.com/\(version)/device/login"
        }
        return provider
    }

    /// It becomes part of a path.
    private static func isVersion(_ text: String) -> Bool {
        let parts = Substring(text.utf8.dropFirst()).parts(separator: ".", omittingEmptySubsequences: false)
        return text.begins(with: "v") && parts.count == 2
            && parts.allSatisfy { (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isDecimalDigit) }
    }

    private static func classic(version: String) -> Provider {
        Provider(
            id: "facebook.com", displayName: "Facebook", kind: .oauth2, dialect: Facebook(),
            endpoints: ProviderEndpoints(
                authorization: "https://www.facebook.com/\(version)/dialog/oauth",
                token: "https://graph.facebook.com/\(version)/oauth/access_token",
                userinfo: "https://graph.facebook.com/\(version)/me",
                introspection: "https://graph.facebook.com/\(version)/debug_token"),
            scopes: ["email", "public_profile"],
            // With it the callback says what the user agreed to; the token answer never does.
            parameters: ["return_scopes": "true"],
            clientAuthentication: .clientSecretPost,
            profileMapping: ProfileMapping(uid: "id", displayName: "name", email: "email", photo: "picture.data.url", username: "username"),
            redirectHost: .localhost,
            redirectPort: .registered,
            serves: URLPrefix.all(["https://graph.facebook.com", "https://graph-video.facebook.com"]))
    }

    public var needsClientSecret: Bool { true }

    // MARK: Authorization

    public func askingAgain(at provider: Provider) -> [String: String] { ["auth_type": "reauthenticate"] }

    /// Some failures contain only `error_code` and `error_message`.
    public func denial(in parameters: CallbackParameters) -> (error: String, description: String?)? {
        func text(_ name: String) -> String? { parameters[name]?.reveal() }
        guard let error = parameters.error ?? text("error_code") ?? (text("error_message") == nil ? nil : "unknown") else { return nil }
        return (error, parameters.errorDescription ?? text("error_message"))
    }

    /// The answer to `return_scopes`.
    public func grantedScopes(in parameters: CallbackParameters) -> [String]? {
        parameters["granted_scopes"].map { decodeScopes($0.reveal()) }
    }

    public func encodeScopes(_ scopes: [String]) -> String { scopes.joined(separator: ",") }

    public func decodeScopes(_ text: String) -> [String] { Scopes.parse(text, separators: [",", " "]) }

    // MARK: Token

    public func refusal(in members: JSONObject, status: Int) -> TokenEndpointError? { GraphError(in: members, status: status)?.meaning }

    public var accessTokenRenewsItself: Bool { true }

    /// Exchanges an hour's token, or one of sixty days, for a new one of sixty days; no longer possible once it has expired.
    ///
    /// Facebook documents only `GET` for this request, so the secret and the token are in a URL here; it is sent to Facebook by TLS, and no
    /// URL is logged.
    public func followUp(to grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography) -> ProviderRequest? {
        guard let secret = provider.provider.clientSecret else { return nil }
        let request = [
            ("grant_type", "fb_exchange_token"), ("client_id", provider.clientID), ("client_secret", secret.reveal()),
            ("fb_exchange_token", grant.accessToken.reveal()),
        ]
        return ProviderRequest(url: provider.token.appending(request), headers: [("Accept", "application/json")])
    }

    // MARK: Profile

    public func nextProfileRequest(after answers: [ProviderResponse], in context: ProfileContext) -> ProviderRequest? {
        guard answers.isEmpty, let me = context.provider.userinfo else { return nil }
        // Graph sends only `id` and `name`, unless it is told what is wanted.
        let fields = me.queryNames.contains("fields") ? [] : [(name: "fields", value: "id,name,email,picture")]
        var request = context.request(me)
        request.url = me.appending(fields + Self.proof(of: context.grant, for: context.provider, cryptography: context.cryptography))
        return request
    }

    /// Graph does not say whether it has verified the address; a flag of that name would not be Graph's word for it.
    public func profile(from answers: [ProviderResponse], in context: ProfileContext) throws(ProfileError) -> ProviderProfile {
        guard let answer = answers.first else { throw .noSource }
        if let error = GraphError(in: answer) {
            if let failure = error.transient(retryAfterSeconds: answer.retryAfterSeconds(now: context.now)) { throw .transient(failure) }
            throw .refused(error.refusal)
        }
        let person = try ProfileDocument(from: answer, now: context.now)
        var profile = try StandardProfile(userinfo: person, idToken: nil, provider: context.provider.provider).profile()
        if profile.identity.emailVerified == true { profile.identity.emailVerified = nil }
        return profile
    }

    /// `appsecret_proof`: that the client with the token also has the secret. Apps can require it for every call.
    static func proof(
        of grant: Grant, for provider: ResolvedProvider, cryptography: any Cryptography
    ) -> [(name: String, value: String)] {
        guard let secret = provider.provider.clientSecret else { return [] }
        let proof = cryptography.hmacSHA256(key: secret.revealBytes(), message: grant.accessToken.revealBytes())
        return [("appsecret_proof", Hexadecimal.encode(proof))]
    }

    // MARK: Access tokens that a program obtained

    /// `debug_token`, requested in the application's name. Facebook documents only `GET`, so the token and the secret are in a URL here; it
    /// is sent to Facebook by TLS, and no URL is logged.
    public func audienceLookup(
        about grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> AudienceLookup {
        guard let endpoint = provider.introspection, let secret = provider.provider.clientSecret else { return .impossible }
        let request = [
            ("input_token", grant.accessToken.reveal()), ("access_token", "\(provider.clientID)|\(secret.reveal())"),
        ]
        return .ask(ProviderRequest(url: endpoint.appending(request), headers: [("Accept", "application/json")]))
    }

    /// Another application's token is shown like our own, so only the application's number decides.
    public func presentedToken(
        in answer: ProviderResponse, at provider: ResolvedProvider, now: Timestamp
    ) throws(PresentedTokenError) -> PresentedAccessToken {
        if let error = GraphError(in: answer) {
            if let failure = error.transient(retryAfterSeconds: answer.retryAfterSeconds(now: now)) { throw .transient(failure) }
            throw .refused(error.refusal)
        }
        let answer = try AudienceAnswer(answer, now: now)
        guard answer.members["data.is_valid"] == .bool(true) else { throw .notGood }
        try answer.requireClient("data.app_id", provider.clientID)
        // A page's token is not a person's, and neither is an application's.
        guard try answer.required("data.type") == "USER" else { throw .notGood }
        return PresentedAccessToken(
            subject: try answer.required("data.user_id"), scopes: answer.strings("data.scopes"),
            expiresAt: try answer.end("data.expires_at", none: 0, now: now))
    }

    // MARK: Revocation

    /// `DELETE /me/permissions`: removes the whole application from the account, because nothing less ends a token.
    public func revocationRequests(
        for grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> [ProviderRequest] {
        guard let permissions = provider.revocation ?? provider.userinfo?.appending(path: "/permissions") else { return [] }
        return [
            ProviderRequest(
                method: "DELETE", url: permissions.appending(Self.proof(of: grant, for: provider, cryptography: cryptography)),
                headers: [("Authorization", "Bearer \(grant.accessToken.reveal())"), ("Accept", "application/json")])
        ]
    }

    /// `true` or `{"success": true}`; a `false` comes with status 200.
    public func revocationOutcome(of answer: ProviderResponse, now: Timestamp) -> RevocationOutcome {
        if let error = GraphError(in: answer) {
            if error.saysNotInstalled { return .revoked }
            let failure = error.transient(retryAfterSeconds: answer.retryAfterSeconds(now: now))
            return failure.map { .transient($0) } ?? .refused(error.refusal)
        }
        let body = answer.body.count <= TokenResponse.mostBytes ? try? JSON(parsing: answer.body) : nil
        guard body == .bool(false) || body?.objectValue?["success"] == .bool(false) else {
            return RevocationOutcome(answer: answer, now: now)
        }
        return .refused(OAuthRefusal(status: answer.status, error: nil, errorDescription: "Facebook left the permissions as they were"))
    }
}

extension Facebook {
    static func registration(in context: RegistrationContext) -> ProviderRegistration {
        // Limited Login is OpenID Connect, and its clients have no secret.
        let isLimited = context.kind == .oidc
        return ProviderRegistration(
            page: .init(url: "https://developers.facebook.com/apps"),
            fields: [.clientID("App ID")] + (isLimited ? [] : [.clientSecret("App secret")]),
            plainCallback: [
                "Facebook accepts it while the app is in development mode, and only for people with a role in the app.",
                "A live app accepts only https pages: make such a page of yours forward the answer to Postern",
                "(man postern-providers says how), register that, and set redirect-uri to its address.",
            ],
            configuration: isLimited
                ? ["[provider.\"facebook.com\"]", "client-id = \"…\"       # the App ID; there is no secret", "limited = true"] : nil,
            secret: isLimited ? [] : nil)
    }
}
