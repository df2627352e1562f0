import StrictJSON

/// github.com, and GitHub Enterprise on its own host.
///
/// Differs from the standard in: scopes separated by commas in answers, errors with status 200, answers in forms unless asked for JSON,
/// its own profile in two parts, its own revocation.
struct GitHub: BuiltInProvider {
    static let provider = Provider(
        id: "github.com",
        displayName: "GitHub",
        kind: .oauth2,
        dialect: GitHub(),
        endpoints: endpoints(of: "https://github.com", api: "https://api.github.com"),
        scopes: ["read:user", "user:email"],
        clientAuthentication: .clientSecretPost,
        profileMapping: ProfileMapping(uid: "id", displayName: "name", email: "email", photo: "avatar_url", username: "login"),
        serves: URLPrefix.all([
            "https://github.com", "https://api.github.com", "https://gist.github.com", "https://uploads.github.com",
            "https://raw.githubusercontent.com", "https://codeload.github.com",
        ]))

    private static func endpoints(of origin: String, api: String) -> ProviderEndpoints {
        ProviderEndpoints(
            authorization: "\(origin)/login/oauth/authorize", token: "\(origin)/login/oauth/access_token", userinfo: "\(api)/user",
            deviceAuthorization: "\(origin)/login/device/code")
    }

    // MARK: Configuration

    public var settings: [ProviderSetting] { [ProviderHost.setting] }

    /// A self-hosted server has its API below `/api/v3`; a tenant of `ghe.com` has it on a separate host.
    public func configured(_ provider: Provider, with settings: ProviderSettings) throws(ProviderSettingError) -> Provider {
        guard let host = try ProviderHost(settings), host.name != "github.com" else { return provider }
        var provider = provider
        let isTenant = host.name.ends(with: ".ghe.com")
        provider.endpoints = Self.endpoints(of: host.origin, api: isTenant ? "https://api.\(host.name)" : "\(host.origin)/api/v3")
        provider.serves = URLPrefix.all(
            [host.origin] + (isTenant ? ["https://api.\(host.name)", "https://uploads.\(host.name)"] : []))
        return provider
    }

    /// Even with PKCE; GitHub has no public clients except in the device flow.
    public var needsClientSecret: Bool { true }

    public var loginHintParameter: String { "login" }

    public func askingAgain(at provider: Provider) -> [String: String] { ["prompt": "select_account"] }

    /// Letters, digits and hyphens; enterprise-managed names contain an underscore. With an @ it is an address.
    public func isUserName(_ loginHint: String) -> Bool {
        (1...64).contains(loginHint.utf8.count)
            && loginHint.utf8.allSatisfy { $0.isASCIILetter || $0.isDecimalDigit || "-_".utf8.contains($0) }
    }

    public var identifiersAreNumbers: Bool? { true }

    /// `https://github.com/login/oauth`; on other hosts the same path. Sent since 2026 and announced nowhere, so it is compared if present
    /// and not required.
    public func authorizationResponseIssuer(of provider: Provider, authorization: EndpointURL) -> String? {
        provider.issuer ?? authorization.dropping(suffix: "/authorize")
    }

    // MARK: Token

    public var answersTokenRequestsInForms: Bool { true }

    public func decodeScopes(_ text: String) -> [String] { Scopes.parse(text, separators: [",", " "]) }

    public func advice(on refusal: OAuthRefusal) -> String? {
        switch refusal.error {
        case "incorrect_client_credentials": "check client-id and client-secret"
        case "redirect_uri_mismatch": "register the URL that `postern provider show github.com` names"
        case "unverified_user_email": "verify the primary address at GitHub (Settings, Emails), then sign in again"
        case "application_suspended": "GitHub has suspended the application; its owner can ask GitHub why"
        default: nil
        }
    }

    /// GitHub's answer names only the widest scopes: a client that requests `user` and `user:email` is granted `user`.
    public func missingScopes(asked: [String], granted: [String]) -> [String] {
        asked.filter { scope in !granted.contains { Self.covers($0, scope) } }
    }

    private static let parts: [String: Set<String>] = [
        "repo": ["repo:status", "repo_deployment", "public_repo", "repo:invite", "security_events"],
        "user": ["read:user", "user:email", "user:follow"],
        "project": ["read:project"],
    ]

    /// `admin:org` includes `write:org`, which includes `read:org`; the same for all names after the colon.
    private static func covers(_ granted: String, _ asked: String) -> Bool {
        if granted == asked || parts[granted]?.contains(asked) == true { return true }
        let ranks = ["read": 0, "write": 1, "admin": 2]
        let (left, right) = (granted.parts(separator: ":"), asked.parts(separator: ":"))
        guard left.count == 2, right.count == 2, left[1] == right[1],
            let leftRank = ranks[String(left[0])], let rightRank = ranks[String(right[0])]
        else { return false }
        return leftRank > rightRank
    }

    // MARK: Profile

    private static let headers: [(name: String, value: String)] = [
        ("X-GitHub-Api-Version", "2022-11-28"),
        // Without one GitHub answers 403.
        ("User-Agent", "postern"),
    ]
    private static let accept = "application/vnd.github+json"

    /// The user, then their addresses: the one in the user's own document is the public one, and usually missing.
    public func nextProfileRequest(after answers: [ProviderResponse], in context: ProfileContext) -> ProviderRequest? {
        guard let user = context.provider.userinfo else { return nil }
        switch answers.count {
        case 0:
            return context.request(user, accept: Self.accept, further: Self.headers)
        case 1:
            guard 200..<300 ~= answers[0].status, mayReadAddresses(context.grant), let emails = user.appending(path: "/emails")
            else { return nil }
            return context.request(emails, accept: Self.accept, further: Self.headers)
        default:
            return nil
        }
    }

    /// GitHub Apps have permissions instead of scopes, and their answer names none, so they try.
    private func mayReadAddresses(_ grant: Grant) -> Bool {
        grant.scopes.isEmpty || missingScopes(asked: ["user:email"], granted: grant.scopes).isEmpty
    }

    public func profile(from answers: [ProviderResponse], in context: ProfileContext) throws(ProfileError) -> ProviderProfile {
        guard let answer = answers.first else { throw .noSource }
        try Self.checkRateLimit(answer, now: context.now)
        let user = try ProfileDocument(from: answer, now: context.now)
        guard case .integer(let id)? = user["id"], id > 0 else {
            throw .member(JSONMemberError(path: "id", reason: .notAllowed("must be a positive integer")))
        }
        var identity = Identity(providerID: context.provider.id, subject: String(id))
        identity.username = user.name("login")
        identity.displayName = user.name("name") ?? identity.username
        identity.photoURL = user.webAddress("avatar_url")
        let addresses = try addresses(in: answers.dropFirst().first, now: context.now) ?? []
        let publicAddress = user.emailAddress("email").flatMap { Address.isNoReply($0) ? nil : $0 }
        identity.email = Address.contact(addresses)?.email ?? publicAddress
        identity.emailVerified = identity.email.flatMap { Address.isVerified($0, among: addresses) }
        return ProviderProfile(identity: identity, document: user.members)
    }

    /// Nil if the token may not read them.
    private func addresses(in answer: ProviderResponse?, now: Timestamp) throws(ProfileError) -> [Address]? {
        guard let answer else { return nil }
        try Self.checkRateLimit(answer, now: now)
        if answer.status == 403 || answer.status == 404 { return nil }
        try ProfileDocument.checkStatus(of: answer, now: now)
        let json = try ProfileDocument.json(in: answer)
        guard case .array(let entries) = json else {
            throw .member(JSONMemberError(path: "emails", reason: .wrongType(expected: "an array", found: json.typeName)))
        }
        return entries.prefix(100).compactMap(Address.init)
    }

    /// An exhausted quota is also a 403, but transient.
    private static func checkRateLimit(_ answer: ProviderResponse, now: Timestamp) throws(ProfileError) {
        guard answer.status == 403 else { return }
        let wait = answer.retryAfterSeconds(now: now)
        guard wait != nil || answer.header("X-RateLimit-Remaining")?.trimmingBlanks() == "0" else { return }
        throw .transient(TransientFailure(status: answer.status, error: "rate limit", retryAfterSeconds: wait))
    }

    /// One entry of `/user/emails`.
    private struct Address {
        let email: String
        let isPrimary: Bool
        /// Nil if GitHub does not say.
        let isVerified: Bool?

        init?(_ json: JSON) {
            guard let object = json.objectValue, let email = object["email"]?.stringValue.flatMap(ProfileDocument.emailAddress)
            else { return nil }
            self.email = email
            isPrimary = object["primary"]?.boolValue ?? false
            isVerified = object["verified"]?.boolValue
        }

        /// The primary address, which GitHub uses to contact the user.
        static func contact(_ addresses: [Address]) -> Address? {
            addresses.first { $0.isPrimary && !isNoReply($0.email) }
        }

        /// What the list says about an address; one "no" counts.
        static func isVerified(_ email: String, among addresses: [Address]) -> Bool? {
            let email = EmailAddress.lowercased(email)
            let words = addresses.filter { EmailAddress.isSame(EmailAddress.lowercased($0.email), email) }.compactMap(\.isVerified)
            return words.isEmpty ? nil : words.allSatisfy(\.self)
        }

        /// GitHub's placeholder addresses, whose mail it discards; on Enterprise, below the server's own host name.
        static func isNoReply(_ email: String) -> Bool {
            email.unicodeScalars.lastIndex(of: "@").map { email[$0...].lowercased().begins(with: "@users.noreply.") } ?? false
        }
    }

    // MARK: Access tokens that a program obtained

    /// Not RFC 7662: `POST /applications/CLIENT_ID/token` at the API, which knows only the tokens of this application.
    public func audienceLookup(
        about grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> AudienceLookup {
        guard let url = provider.introspection ?? tokensURL(at: provider), let request = request("POST", url, about: grant, at: provider)
        else { return .impossible }
        return .ask(request)
    }

    public func presentedToken(
        in answer: ProviderResponse, at provider: ResolvedProvider, now: Timestamp
    ) throws(PresentedTokenError) -> PresentedAccessToken {
        do throws(ProfileError) { try Self.checkRateLimit(answer, now: now) } catch {
            guard case .transient(let failure) = error else { throw .notGood }
            throw .transient(failure)
        }
        // Another application's; or invalid, which GitHub does not distinguish.
        if answer.status == 404 || answer.status == 422 { throw .notGood }
        let answer = try AudienceAnswer(answer, now: now)
        try answer.requireClient("app.client_id", provider.clientID)
        return PresentedAccessToken(subject: try answer.required("user.id"), scopes: answer.strings("scopes"))
    }

    // MARK: Revocation

    /// Not RFC 7009: `DELETE /applications/CLIENT_ID/token` at the API, with the client's credentials in the header and the token in JSON.
    public func revocationRequests(
        for grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> [ProviderRequest] {
        guard let url = provider.revocation ?? tokensURL(at: provider) else { return [] }
        return request("DELETE", url, about: grant, at: provider).map { [$0] } ?? []
    }

    /// Nil for a client without a secret, which may do none of this.
    private func request(_ method: String, _ url: EndpointURL, about grant: Grant, at provider: ResolvedProvider) -> ProviderRequest? {
        guard let secret = provider.provider.clientSecret else { return nil }
        return ProviderRequest(
            method: method, url: url.text,
            headers: [
                ("Authorization", ClientCredentials.basic(id: provider.clientID, secret: secret)),
                ("Accept", Self.accept),
                ("Content-Type", "application/json"),
            ] + Self.headers,
            body: JSON.object(["access_token": .string(grant.accessToken.reveal())]).serialized)
    }

    /// The application's tokens, next to the user's document.
    private func tokensURL(at provider: ResolvedProvider) -> EndpointURL? {
        guard let api = provider.userinfo?.dropping(suffix: "/user") else { return nil }
        return try? EndpointURL("\(api)/applications/\(PercentEncoding.encode(provider.clientID))/token")
    }
}

extension GitHub {
    static func registration(in context: RegistrationContext) -> ProviderRegistration {
        let fields: [(name: String, value: String?)] = [
            ("oauth_application[name]", "Postern"), ("oauth_application[url]", context.redirectOrigin),
            ("oauth_application[callback_url]", context.redirectURI),
        ]
        let query = PercentEncoding.query(fields.compactMap { field in field.value.map { (field.name, $0) } })
        return ProviderRegistration(
            page: .init(url: "https://\(context.host ?? "github.com")/settings/applications/new?\(query)", isFilledIn: true),
            fields: [
                .clientID("Client ID"),
                .clientSecret("Client secret", whenEmpty: "Enter: sign in with a code on GitHub's page, without a secret"),
            ],
            // GitHub has no narrower scope for private repositories, whether git or the API asks for them.
            purposes: [
                .init("git and API", provider.scopes + ["repo"], isForGit: true), .init("API only", provider.scopes + ["repo"]),
                .init("sign-in only", provider.scopes),
            ],
            // The only built-in provider whose device flow needs no secret while its pages do.
            flowWithoutSecret: .device,
            plainCallback: [
                "GitHub accepts it with any port, once it is registered with 127.0.0.1; the path must be the same.",
                "An OAuth app has one such URL; a GitHub App may have ten. GitHub needs the secret even with PKCE.",
            ],
            callbackInDialogue: [
                "Press Register application there, then Generate a new client secret.",
                "To sign in with a code instead, without a secret, tick Enable Device Flow.",
            ],
            configuration: [
                "[provider.\"github.com\"]", "client-id = \"…\"",
                "client-secret = { file = \"\(context.directory)/github.secret\" }",
                "# host = \"git.example.com\"   # for GitHub Enterprise",
            ])
    }
}

extension EndpointURL {
    /// The text without this suffix; nil if it does not have it.
    func dropping(suffix: String) -> String? {
        query == nil && path.ends(with: suffix) ? String(text.dropLast(suffix.count)) : nil
    }

    /// One segment deeper; nil if the URL has a query.
    func appending(path further: String) -> EndpointURL? {
        query == nil ? try? EndpointURL(text + further) : nil
    }
}

/// GitHub's device flow is for clients without a secret: none is required, and none is sent.
extension GitHub {
    /// Parameters of an authorization request (`allow_signup`, `login`) have no meaning here.
    public var wantsBareDeviceRequests: Bool { true }

    public func deviceTokenRequest(for code: Secret, at provider: ResolvedProvider) -> ProviderRequest {
        DeviceRequest.token(
            for: code, at: provider, from: ClientCredentials(header: nil, parameters: [("client_id", provider.clientID)]))
    }
}
