import StrictJSON

/// What a provider does in its own way. The defaults are the standard's way, so that a provider states its differences only.
///
/// All of it decides and nothing acts: requests are described, answers are read, and who carries them between is the caller.
public protocol ProviderDialect: DeviceDialect {
    /// A client secret is asked for at the token endpoint even where PKCE is used.
    var needsClientSecret: Bool { get }

    // MARK: Configuration

    /// Keys of its own.
    var settings: [ProviderSetting] { get }

    /// The provider with these settings laid over it; called also where there are none.
    func configured(_ provider: Provider, with settings: ProviderSettings) throws(ProviderSettingError) -> Provider

    /// Keys that the configuration must have for this provider beside `client-id`, in the order in which they are asked for.
    ///
    /// - Parameter given: `client-secret` and its own keys, those of them that the configuration has.
    func requiredKeys(of provider: Provider, given: Set<String>) -> [String]

    /// The provider as it is used now: for secrets that are made anew from a key, such as a client secret that is a JWT.
    func prepared(_ provider: Provider, cryptography: any Cryptography, now: Timestamp) throws(ProviderProblem) -> Provider

    // MARK: Authorization

    /// `response_mode`, where the provider must be told (OAuth 2.0 Multiple Response Type Encoding Practices section 2.1).
    func responseMode(of provider: Provider, scopes: [String]) -> String?

    /// Further parameters that nobody but Postern sets, beside ``ReservedParameters``.
    var reservedParameters: Set<String> { get }

    /// How the nonce is sent and comes back: as it is, or as a hash whose original only we know.
    func sentNonce(_ raw: Secret, of provider: Provider, cryptography: any Cryptography) -> Secret

    /// A refusal in a callback; nil where there is none. What it says is cleaned by the caller.
    func denial(in parameters: CallbackParameters) -> (error: String, description: String?)?

    /// What was granted, where the callback says it and the token answer does not; nil where it is silent.
    func grantedScopes(in parameters: CallbackParameters) -> [String]?

    /// The value of `scope` in an authorization request (RFC 6749 section 3.3); left out where it is empty.
    func encodeScopes(_ scopes: [String]) -> String

    /// Under which name the account that the program would like is sent (OpenID Connect Core section 3.1.2.1).
    var loginHintParameter: String { get }

    /// Whether a hint is the name of one account and of no other, though nobody with it has signed in here yet.
    func isUserName(_ loginHint: String) -> Bool

    /// What `iss` in the callback is compared with; nil where the provider has no issuer (RFC 9207 section 2.4).
    func authorizationResponseIssuer(of provider: Provider, authorization: EndpointURL) -> String?

    // MARK: Token

    /// How a client that has a secret shows it, where neither the configuration nor metadata say (RFC 8414 section 2).
    var usualClientAuthentication: ClientAuthentication { get }

    /// The token endpoint may answer in `application/x-www-form-urlencoded`.
    var answersTokenRequestsInForms: Bool { get }

    /// What an answer's members say of a refusal in another way than RFC 6749 section 5.2; nil where they say none.
    func refusal(in members: JSONObject, status: Int) -> TokenEndpointError?

    /// What to try after such a refusal, for the person who set the provider up: goes on from the refusal's own words.
    func advice(on refusal: OAuthRefusal) -> String?

    /// A signed request was refused because the time in it is wrong, before anything else was looked at.
    func refusesTimestamp(_ refusal: OAuthRefusal) -> Bool

    /// The provider will take this refresh token never again, so that the person must sign in.
    func endsRefreshToken(_ error: TokenEndpointError) -> Bool

    /// Further parameters of a refresh.
    ///
    /// - Parameter redirectURI: of a sign-in that would begin now.
    func refreshParameters(redirectURI: String) -> [(name: String, value: String)]

    /// A question that makes a better grant of the one that a code gave, such as a longer-lived one; its answer is read as a
    /// token answer. Nil where there is none. Where it fails, the first grant stands.
    func followUp(to grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography) -> ProviderRequest?

    /// There are no refresh tokens: as long as an access token is good, ``followUp(to:at:cryptography:)`` renews it.
    var accessTokenRenewsItself: Bool { get }

    // MARK: ID token

    func issuerRule(of provider: Provider) -> IssuerRule

    /// Rules of its own for an ID token that has stood those of the standard.
    ///
    /// - Parameter parameters: the program's, of the authorization request; none at a refresh.
    func check(_ claims: IDTokenClaims, of provider: Provider, parameters: [String: String]) throws(IDTokenRejection)

    /// Why an ID token that a program got itself cannot be believed, though its signature is good; nil where it can. The sentence goes
    /// on from the provider's name.
    func problemOfPresentedTokens(of provider: Provider) -> String?

    /// `auth_time` stays what it was at the sign-in when an ID token is refreshed (OpenID Connect Core section 12.2).
    var keepsAuthenticationTime: Bool { get }

    // MARK: Scopes in answers

    /// The scopes in the `scope` of a token answer.
    func decodeScopes(_ text: String) -> [String]

    /// Which of the scopes asked for are not among those granted, nor implied by one of them.
    func missingScopes(asked: [String], granted: [String]) -> [String]

    // MARK: Profile

    /// The next question of who signed in, given the answers so far; nil when all has been asked.
    ///
    /// To be carried out in turn until nil. No answer is looked at beyond what choosing the next question needs.
    func nextProfileRequest(after answers: [ProviderResponse], in context: ProfileContext) -> ProviderRequest?

    /// Who signed in.
    func profile(from answers: [ProviderResponse], in context: ProfileContext) throws(ProfileError) -> ProviderProfile

    // MARK: Access tokens that a program got itself

    /// What tells for whom such a token was made.
    func audienceQuestion(
        about grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> AudienceQuestion

    /// What its answer tells; thrown where the token is not this client's, or nobody can be sure.
    func presentedToken(
        in answer: ProviderResponse, at provider: ResolvedProvider, now: Timestamp
    ) throws(PresentedTokenError) -> PresentedAccessToken

    // MARK: Revocation

    /// What takes a grant back, in order; empty where the provider has no way.
    func revocationRequests(for grant: Grant, at provider: ResolvedProvider) -> [ProviderRequest]

    /// The same, for providers that want a proof beside the token; the one that is asked.
    func revocationRequests(for grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography) -> [ProviderRequest]

    /// What one answer to them means.
    func revocationOutcome(of answer: ProviderResponse, now: Timestamp) -> RevocationOutcome
}

/// OAuth 2.0 and OpenID Connect as they are written.
public struct StandardDialect: ProviderDialect {
    public init() {}
}

extension ProviderDialect {
    public var needsClientSecret: Bool { false }

    public var settings: [ProviderSetting] { [] }

    public func configured(_ provider: Provider, with settings: ProviderSettings) throws(ProviderSettingError) -> Provider { provider }

    /// The client secret, where it is sent or asked for.
    public func requiredKeys(of provider: Provider, given: Set<String>) -> [String] {
        switch provider.clientAuthentication {
        case .some(.clientSecretBasic), .some(.clientSecretPost): ["client-secret"]
        case .some(.none): []
        case nil: needsClientSecret ? ["client-secret"] : []
        }
    }

    public func prepared(
        _ provider: Provider, cryptography: any Cryptography, now: Timestamp
    ) throws(ProviderProblem) -> Provider { provider }

    public func responseMode(of provider: Provider, scopes: [String]) -> String? { nil }

    public var reservedParameters: Set<String> { [] }

    public func sentNonce(_ raw: Secret, of provider: Provider, cryptography: any Cryptography) -> Secret { raw }

    public func denial(in parameters: CallbackParameters) -> (error: String, description: String?)? {
        parameters.error.map { ($0, parameters.errorDescription) }
    }

    public func grantedScopes(in parameters: CallbackParameters) -> [String]? { nil }

    public func refusal(in members: JSONObject, status: Int) -> TokenEndpointError? { nil }

    public var usualClientAuthentication: ClientAuthentication { .clientSecretBasic }

    public func advice(on refusal: OAuthRefusal) -> String? { nil }

    /// The word of the extension "OAuth Problem Reporting".
    public func refusesTimestamp(_ refusal: OAuthRefusal) -> Bool { refusal.error == "timestamp_refused" }

    public func endsRefreshToken(_ error: TokenEndpointError) -> Bool { error.endsRefreshToken }

    public func refreshParameters(redirectURI: String) -> [(name: String, value: String)] { [] }

    public func followUp(to grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography) -> ProviderRequest? { nil }

    public var accessTokenRenewsItself: Bool { false }

    public func issuerRule(of provider: Provider) -> IssuerRule { .exact(provider.issuer) }

    public func check(_ claims: IDTokenClaims, of provider: Provider, parameters: [String: String]) throws(IDTokenRejection) {}

    public func problemOfPresentedTokens(of provider: Provider) -> String? { nil }

    public var keepsAuthenticationTime: Bool { true }

    public func encodeScopes(_ scopes: [String]) -> String { scopes.joined(separator: " ") }

    public var loginHintParameter: String { "login_hint" }

    public func isUserName(_ loginHint: String) -> Bool { false }

    public func authorizationResponseIssuer(of provider: Provider, authorization: EndpointURL) -> String? { provider.issuer }

    public var answersTokenRequestsInForms: Bool { false }

    public func decodeScopes(_ text: String) -> [String] { Scopes.parse(text, separators: [" "]) }

    public func missingScopes(asked: [String], granted: [String]) -> [String] {
        let granted = Set(granted)
        return asked.filter { !granted.contains($0) }
    }

    public func audienceQuestion(
        about grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> AudienceQuestion {
        TokenIntrospection.request(for: grant, at: provider).map { .ask($0) } ?? .impossible
    }

    public func presentedToken(
        in answer: ProviderResponse, at provider: ResolvedProvider, now: Timestamp
    ) throws(PresentedTokenError) -> PresentedAccessToken {
        try TokenIntrospection.token(in: answer, at: provider, now: now)
    }

    public func revocationRequests(for grant: Grant, at provider: ResolvedProvider) -> [ProviderRequest] {
        RevocationRequest.requests(for: grant, at: provider)
    }

    public func revocationRequests(
        for grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> [ProviderRequest] {
        revocationRequests(for: grant, at: provider)
    }

    public func revocationOutcome(of answer: ProviderResponse, now: Timestamp) -> RevocationOutcome {
        RevocationOutcome(answer: answer, now: now)
    }
}
