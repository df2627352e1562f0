import StrictJSON

/// x.com: X with OAuth 2.0.
///
/// Differs from the standard in: client IDs that say whether the client has a secret, refresh tokens refused as an invalid request, a
/// profile in a wrapper whose fields must be requested, and errors in the formats of its API.
struct XPlatform: BuiltInProvider {
    static let provider = Provider(
        id: "x.com", displayName: "X", kind: .oauth2, dialect: XPlatform(),
        endpoints: ProviderEndpoints(
            authorization: "https://x.com/i/oauth2/authorize",
            token: "https://api.x.com/2/oauth2/token",
            userinfo: "https://api.x.com/2/users/me",
            revocation: "https://api.x.com/2/oauth2/revoke"),
        // The profile requires the first two; the third makes X issue a refresh token.
        scopes: ["users.read", "tweet.read", "offline.access"],
        profileMapping: ProfileMapping(
            uid: "data.id", displayName: "data.name", email: "data.confirmed_email", photo: "data.profile_image_url",
            username: "data.username"),
        redirectPort: .registered,
        serves: XRegistration.serves)

    /// Without it X refuses the request for the address.
    private static let emailScope = "users.email"

    // MARK: Refresh token

    public func renewalScope(of provider: Provider) -> String? { "offline.access" }

    // MARK: Authorization

    /// X has none for OAuth 2.0.
    public func askingAgain(at provider: Provider) -> [String: String] { [:] }

    // MARK: Client

    enum ClientType {
        case confidential, `public`
    }

    /// The type in the client ID, which is the Base64 of three parts: `…:1:ci` for a web application or bot, `…:1:na` for a native or
    /// single-page one. Nil for an ID in another format.
    static func clientType(of clientID: String) -> ClientType? {
        let text = String(clientID.before { $0 == "=" }).mapping { $0 == "+" ? "-" : $0 == "/" ? "_" : String($0) }
        guard let bytes = Base64URL.decode(text) else { return nil }
        if bytes.suffix(3).elementsEqual(":ci".utf8) { return .confidential }
        return bytes.suffix(3).elementsEqual(":na".utf8) ? .public : nil
    }

    public func requiredKeys(of provider: Provider, given: Set<String>) -> [String] {
        guard let type = provider.clientID.flatMap(Self.clientType) else {
            return StandardDialect().requiredKeys(of: provider, given: given)
        }
        return type == .confidential ? ["client-secret"] : []
    }

    /// A confidential client authenticates only by Basic; a public one only by its ID, even if a secret is configured.
    public func prepared(
        _ provider: Provider, cryptography: any Cryptography, now: Timestamp
    ) throws(ProviderProblem) -> Provider {
        var provider = provider
        switch provider.clientID.flatMap(Self.clientType) {
        case .confidential?:
            guard provider.clientSecret?.isEmpty == false else { throw .clientSecretMissing }
            provider.clientAuthentication = .clientSecretBasic
        case .public?:
            provider.clientSecret = nil
            provider.clientAuthentication = ClientAuthentication.none
        case nil: break
        }
        return provider
    }

    // MARK: Token

    public func refusal(in members: JSONObject, status: Int) -> TokenEndpointError? {
        XError.refusal(in: members, status: status).map { .refused($0) }
    }

    public func advice(on refusal: OAuthRefusal) -> String? {
        switch refusal.error {
        case "invalid_client", "unauthorized_client": "check client-id and client-secret"
        case "invalid_request": "a code is valid for thirty seconds and a refresh token only once, so sign in again"
        default: nil
        }
    }

    /// X calls a refresh token that was used or has expired an `invalid_request`. Nothing else in our request could be invalid.
    public func endsRefreshToken(_ error: TokenEndpointError) -> Bool {
        if case .refused(let refusal) = error, refusal.error == "invalid_request" { return true }
        return error.endsRefreshToken
    }

    // MARK: Profile

    public func nextProfileRequest(after answers: [ProviderResponse], in context: ProfileContext) -> ProviderRequest? {
        guard answers.isEmpty, let endpoint = context.provider.userinfo else { return nil }
        let fields = context.grant.scopes.contains(Self.emailScope) ? "profile_image_url,confirmed_email" : "profile_image_url"
        guard let url = try? EndpointURL(endpoint.appending([("user.fields", fields)])) else { return nil }
        return context.request(url)
    }

    public func profile(from answers: [ProviderResponse], in context: ProfileContext) throws(ProfileError) -> ProviderProfile {
        try XProfile.profile(from: answers, in: context)
    }
}

extension XPlatform {
    static func registration(in context: RegistrationContext) -> ProviderRegistration {
        ProviderRegistration(
            page: XRegistration.page,
            purposes: [.init("reading", provider.scopes), .init("reading and posting", provider.scopes + ["tweet.write"])],
            scopeBoxes: "Its App permissions must allow these scopes (Read, or Read and write):",
            plainCallback: XRegistration.exactCallback,
            configuration: [
                "[provider.\"x.com\"]", "client-id = \"…\"",
                "client-secret = { file = \"\(context.directory)/x.secret\" }   # leave out for a native app, which has none",
            ])
    }
}

/// Who signed in, as X's two APIs say it: in the same members, in one of them inside a wrapper.
enum XProfile {
    /// Reads the members that the provider's mapping names.
    static func profile(from answers: [ProviderResponse], in context: ProfileContext) throws(ProfileError) -> ProviderProfile {
        guard let answer = answers.first else { throw .noSource }
        let user = try document(in: answer, now: context.now)
        let mapping = context.provider.provider.profileMapping
        var identity = Identity(providerID: context.provider.id, subject: try identifier(mapping.uid, in: user))
        identity.username = user.name(mapping.username)
        identity.displayName = user.name(mapping.displayName) ?? identity.username
        identity.photoURL = user.webAddress(mapping.photo)
        // One API does not say whether the address was verified. The other calls it "confirmed", which X does not document; so it counts as
        // unverified in both.
        identity.email = user.emailAddress(mapping.email)
        return ProviderProfile(identity: identity, document: user.members)
    }

    /// The account's document in an answer; throws for X's errors.
    private static func document(in answer: ProviderResponse, now: Timestamp) throws(ProfileError) -> ProfileDocument {
        if var failure = TransientFailure(answer, now: now) {
            failure.retryAfterSeconds = failure.retryAfterSeconds ?? secondsToReset(answer, now: now)
            throw .transient(failure)
        }
        // Errors may come with status 200, together with what could be read.
        let hasData = 200..<300 ~= answer.status && answer.members?["data"]?.objectValue != nil
        if !hasData, let refusal = XError.refusal(in: answer) { throw .refused(refusal) }
        return try ProfileDocument(from: answer, now: now)
    }

    /// An account's stable identifier: digits in a string. Many parsers lose the last digits of the number next to it.
    private static func identifier(_ path: String, in profile: ProfileDocument) throws(ProfileError) -> String {
        guard case .string(let id)? = profile[path], (1...20).contains(id.utf8.count), id.utf8.allSatisfy(\.isDecimalDigit) else {
            throw .member(JSONMemberError(path: path, reason: profile[path] == nil ? .missing : .notAllowed("must be a string of digits")))
        }
        return id
    }

    /// `x-rate-limit-reset`: when the next 15 minutes begin, in seconds since 1970.
    private static func secondsToReset(_ answer: ProviderResponse, now: Timestamp) -> Int64? {
        guard let reset = answer.header("x-rate-limit-reset").flatMap({ Int64($0.trimmingBlanks()) }) else { return nil }
        return min(max(Timestamp(seconds: reset).seconds(since: now), 0), TransientFailure.longestWait)
    }
}

/// X's errors, in the formats of its two APIs:
/// `{"errors": [{"code": 89, "message": "…"}]}`, and `{"title": "…", "detail": "…", "status": 401}`, alone or in a list.
enum XError {
    /// The token is no longer valid, or never was.
    static let invalidToken = "89"
    /// The timestamp of a signed request is too far from X's clock.
    static let timestampOutOfBounds = "135"

    /// Nil if the members contain no such error. The code, in digits, becomes the refusal's error.
    static func refusal(in members: JSONObject, status: Int) -> OAuthRefusal? {
        let first: JSONObject
        if case .array(let errors)? = members["errors"], let error = errors.first?.objectValue {
            first = error
        } else if members["error"] == nil, members["title"]?.stringValue != nil {
            first = members
        } else {
            return nil
        }
        let code: String?
        if case .integer(let number)? = first["code"] { code = String(number) } else { code = first["title"]?.stringValue }
        return OAuthRefusal(status: status, word: code, sentence: first["message"]?.stringValue ?? first["detail"]?.stringValue)
    }

    static func refusal(in answer: ProviderResponse) -> OAuthRefusal? {
        answer.members.flatMap { refusal(in: $0, status: answer.status) }
    }
}
