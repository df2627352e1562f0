import StrictJSON

/// twitter.com: X with OAuth 1.0a, as in Firebase.
///
/// Differs from the specification in: forms labelled as HTML, errors with codes, its own profile, its own revocation, and callback URLs
/// compared exactly, so that they cannot contain a state.
struct Twitter: BuiltInProvider {
    static let provider = Provider(
        id: "twitter.com", displayName: "X", kind: .oauth1, dialect: Twitter(),
        endpoints: ProviderEndpoints(
            // Not oauth/authenticate, which does not ask if the user has agreed before: desktop applications must ask.
            authorization: "https://api.x.com/oauth/authorize",
            token: "https://api.x.com/oauth/access_token",
            userinfo: "https://api.x.com/1.1/account/verify_credentials.json",
            revocation: "https://api.x.com/1.1/oauth/invalidate_token.json",
            requestToken: "https://api.x.com/oauth/request_token"),
        profileMapping: ProfileMapping(
            uid: "id_str", displayName: "name", email: "email", photo: "profile_image_url_https", username: "screen_name"),
        redirectPort: .registered,
        serves: XRegistration.serves)

    public var needsClientSecret: Bool { true }

    /// Pre-fills the name on the sign-in page.
    public var loginHintParameter: String { "screen_name" }

    public func askingAgain(at provider: Provider) -> [String: String] { ["force_login": "true"] }

    public func denial(in parameters: CallbackParameters) -> (error: String, description: String?)? {
        OAuth1Dialect().denial(in: parameters)
    }

    public func refusal(in members: JSONObject, status: Int) -> TokenEndpointError? {
        XError.refusal(in: members, status: status).map { .refused($0) }
    }

    public func refusesTimestamp(_ refusal: OAuthRefusal) -> Bool { refusal.error == XError.timestampOutOfBounds }

    public func advice(on refusal: OAuthRefusal) -> String? {
        switch refusal.error {
        case "32": "check api-key and api-secret; `postern setup twitter.com` asks for them again"
        case "415": "register the callback URL that `postern provider show twitter.com` names, byte for byte"
        default: nil
        }
    }

    // MARK: Profile

    /// The address is included only if the application has the permission for it.
    public func nextProfileRequest(after answers: [ProviderResponse], in context: ProfileContext) -> ProviderRequest? {
        guard answers.isEmpty, let endpoint = context.provider.userinfo,
            let url = try? EndpointURL(endpoint.appending([("include_email", "true"), ("skip_status", "true")]))
        else { return nil }
        return context.request(url)
    }

    public func profile(from answers: [ProviderResponse], in context: ProfileContext) throws(ProfileError) -> ProviderProfile {
        try XProfile.profile(from: answers, in: context)
    }

    /// Other codes with this status are about the signature or the client.
    public func endsAccessToken(_ refusal: OAuthRefusal) -> Bool { refusal.error == XError.invalidToken }

    // MARK: Access tokens that a program obtained

    /// X accepts a token only in requests signed by the client that it was issued to. OAuth 1.0a does not require that of servers (RFC 5849
    /// section 3.2), so it is assumed of no other provider.
    public func audienceLookup(
        about grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> AudienceLookup {
        .answeredByEveryRequest
    }

    // MARK: Revocation

    /// Signed with the token that it revokes.
    public func revocationRequests(
        for grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> [ProviderRequest] {
        OAuth1Dialect().revocationRequests(for: grant, at: provider, cryptography: cryptography)
    }

    /// A token that no longer exists counts as revoked.
    public func revocationOutcome(of answer: ProviderResponse, now: Timestamp) -> RevocationOutcome {
        let outcome = RevocationOutcome(answer: answer, now: now)
        guard case .refused = outcome, let refusal = XError.refusal(in: answer) else { return outcome }
        return refusal.error == XError.invalidToken ? .revoked : .refused(refusal)
    }
}

extension Twitter {
    static func registration(in context: RegistrationContext) -> ProviderRegistration {
        ProviderRegistration(page: XRegistration.page, plainCallback: XRegistration.exactCallback)
    }
}

/// What X's two protocols have in common: what a client is registered with, and where its tokens are used.
enum XRegistration {
    static let serves = URLPrefix.all([
        "https://api.x.com", "https://api.twitter.com", "https://upload.x.com", "https://upload.twitter.com",
    ])

    static let page = ProviderRegistration.Page(url: "https://developer.x.com/en/portal/dashboard")

    static let exactCallback = [
        "X compares it exactly, port and all: do not change the port under [callback] once this is registered",
        "(developer portal, your app, User authentication settings, Callback URI).",
    ]
}
