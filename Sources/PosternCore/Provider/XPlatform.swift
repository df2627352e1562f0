import StrictJSON

/// x.com: X by OAuth 2.0.
///
/// Differs from the standard in: client IDs that say whether the client has a secret, refresh tokens refused as an invalid request, a
/// profile in a wrapper whose fields must be asked for, and errors in the shapes of its API.
public struct XPlatform: ProviderDialect {
    public static let provider = Provider(
        id: "x.com", displayName: "X", kind: .oauth2, dialect: XPlatform(),
        endpoints: ProviderEndpoints(
            authorization: "https://x.com/i/oauth2/authorize",
            token: "https://api.x.com/2/oauth2/token",
            userinfo: "https://api.x.com/2/users/me",
            revocation: "https://api.x.com/2/oauth2/revoke"),
        // The profile wants the first two; the third is what makes X give a refresh token.
        scopes: ["users.read", "tweet.read", "offline.access"],
        profileMapping: ProfileMapping(
            uid: "data.id", displayName: "data.name", email: "data.confirmed_email", photo: "data.profile_image_url",
            username: "data.username"))

    /// Without it X refuses the question for the address.
    private static let emailScope = "users.email"

    public init() {}

    // MARK: Client

    enum ClientType {
        case confidential, `public`
    }

    /// What X wrote into the client ID, which is the Base64 of three words: `…:1:ci` for a web application or bot, `…:1:na` for a native or
    /// single-page one. Nil for an ID of another shape.
    static func clientType(of clientID: String) -> ClientType? {
        let text = clientID.prefix { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
        guard let bytes = Base64URL.decode(String(text)) else { return nil }
        if bytes.suffix(3).elementsEqual(":ci".utf8) { return .confidential }
        return bytes.suffix(3).elementsEqual(":na".utf8) ? .public : nil
    }

    public func requiredKeys(of provider: Provider, given: Set<String>) -> [String] {
        guard let type = provider.clientID.flatMap(Self.clientType) else {
            return StandardDialect().requiredKeys(of: provider, given: given)
        }
        return type == .confidential ? ["client-secret"] : []
    }

    /// A confidential client proves itself by Basic and in no other way; a public one by its ID alone, also where a secret is configured.
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
        case "invalid_request": "a code is good for thirty seconds and a refresh token once, so sign in again"
        default: nil
        }
    }

    /// X calls a refresh token that was used before, or is over, an `invalid_request`. Nothing else in our request could be.
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
