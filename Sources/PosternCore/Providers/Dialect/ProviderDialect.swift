import StrictJSON

/// How a provider differs from the standards. The defaults are those of the standard, so that a provider states only its differences.
///
/// A dialect decides and does not act: it describes requests and reads answers, and the caller sends them.
public protocol ProviderDialect: Sendable {
    // MARK: How its client is configured

    /// The token endpoint requires a client secret even with PKCE.
    var needsClientSecret: Bool { get }

    /// Its own keys.
    var settings: [ProviderSetting] { get }

    /// The provider with these settings applied; also called if there are none.
    func configured(_ provider: Provider, with settings: ProviderSettings) throws(ProviderSettingError) -> Provider

    /// Configuration keys that this provider requires in addition to `client-id`, in the order in which they are asked for.
    ///
    /// - Parameter given: those of `client-secret` and its own keys that are configured.
    func requiredKeys(of provider: Provider, given: Set<String>) -> [String]

    /// The provider for use now: for secrets that are derived again from a key, such as a client secret that is a JWT.
    func prepared(_ provider: Provider, cryptography: any Cryptography, now: Timestamp) throws(ProviderProblem) -> Provider

    // MARK: How it is asked for an authorization, and how its callback answers

    /// `response_mode`, if the provider must be told (OAuth 2.0 Multiple Response Type Encoding Practices section 2.1).
    func responseMode(of provider: Provider, scopes: [String]) -> String?

    /// Further parameters that only Postern sets, in addition to ``ReservedParameters``.
    var reservedParameters: Set<String> { get }

    /// How the nonce is sent and returned: as it is, or as a hash whose original only we know.
    func sentNonce(_ raw: Secret, of provider: Provider, cryptography: any Cryptography) -> Secret

    /// A refusal in a callback; nil if there is none. The caller cleans its text.
    func denial(in parameters: CallbackParameters) -> (error: String, description: String?)?

    /// What was granted, if the callback says it and the token answer does not; nil if it does not say.
    func grantedScopes(in parameters: CallbackParameters) -> [String]?

    /// The value of `scope` in an authorization request (RFC 6749 section 3.3); left out if it is empty.
    func encodeScopes(_ scopes: [String]) -> String

    /// Whether `offline_access` is requested as soon as the metadata list it, if the configuration names no scopes.
    func takesOfflineAccess(of provider: Provider) -> Bool

    /// The scope that requests a refresh token; nil if none does.
    func renewalScope(of provider: Provider) -> String?

    /// What else brings a refresh token where there is none; continues a sentence.
    ///
    /// - Parameter signIn: the arguments of `postern sign-in` for the account.
    func renewalAdvice(signIn: String) -> String?

    /// Whether `offline_access` must be requested with `prompt=consent` (OpenID Connect Core section 11).
    ///
    /// - Parameter isListed: the metadata list the scope.
    func wantsConsentForOfflineAccess(of provider: Provider, authorization: EndpointURL, isListed: Bool) -> Bool

    /// Whether the provider's authorization endpoints are at this host. Said by a provider that is often configured as another one, for which
    /// the standard's rules would be wrong.
    func hasAuthorizationServer(at host: String) -> Bool

    /// The parameter that names the account that the program would like (OpenID Connect Core section 3.1.2.1).
    var loginHintParameter: String { get }

    /// The parameters with which the provider asks people again whom it knows; empty if it has none.
    func askingAgain(at provider: Provider) -> [String: String]

    /// Whether a hint is the name of exactly one account, even if it has not signed in here yet.
    func isUserName(_ loginHint: String) -> Bool

    /// Whether accounts' identifiers are numbers; nil if that is not known, as for a provider that anybody may run.
    var identifiersAreNumbers: Bool? { get }

    /// What `iss` in the callback is compared with; nil if the provider has no issuer (RFC 9207 section 2.4).
    func authorizationResponseIssuer(of provider: Provider, authorization: EndpointURL) -> String?

    // MARK: How its token endpoint is asked, and how it answers

    /// How a client that has a secret authenticates, if neither the configuration nor the metadata say (RFC 8414 section 2).
    var usualClientAuthentication: ClientAuthentication { get }

    /// The token endpoint may answer in `application/x-www-form-urlencoded`.
    var answersTokenRequestsInForms: Bool { get }

    /// A refusal in an answer's members, in another form than RFC 6749 section 5.2; nil if there is none.
    func refusal(in members: JSONObject, status: Int) -> TokenEndpointError?

    /// What to try after such a refusal, for the user who configured the provider: continues the refusal's own message.
    func advice(on refusal: OAuthRefusal) -> String?

    /// A signed request was refused because its timestamp is wrong, before anything else was checked.
    func refusesTimestamp(_ refusal: OAuthRefusal) -> Bool

    /// The provider will never accept this refresh token again, so the user must sign in.
    func endsRefreshToken(_ error: TokenEndpointError) -> Bool

    /// Additional parameters of a refresh.
    ///
    /// - Parameter redirectURI: that of a sign-in begun now.
    func refreshParameters(redirectURI: String) -> [(name: String, value: String)]

    /// A request that improves the grant issued for a code, for example to a longer-lived one; its answer is read as a token answer. Nil if
    /// there is none. If it fails, the first grant is used.
    func followUp(to grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography) -> ProviderRequest?

    /// There are no refresh tokens: as long as an access token is valid, ``followUp(to:at:cryptography:)`` renews it.
    var accessTokenRenewsItself: Bool { get }

    /// A refresh can request a token for one service, and the previous tokens remain valid.
    var givesTokensForResources: Bool { get }

    /// A refresh can request fewer scopes (RFC 6749 section 6), and the refresh token keeps all of them. Some servers keep the scopes of
    /// the last request, others end the previous access token.
    func narrowsScopes(of provider: Provider) -> Bool

    /// What a refresh adds for a token with this restriction.
    func parameters(of restriction: TokenRestriction) -> [(name: String, value: String)]

    /// Like ``endsRefreshToken(_:)``, after a refresh that requested a restricted token: only the restriction may have been refused.
    func endsRefreshToken(_ error: TokenEndpointError, asking restriction: TokenRestriction) -> Bool

    /// The scopes in the `scope` of a token answer.
    func decodeScopes(_ text: String) -> [String]

    /// Which of the requested scopes are not among those granted, nor implied by one of them.
    func missingScopes(asked: [String], granted: [String]) -> [String]

    // MARK: How its ID tokens are checked in addition to the standard

    func issuerRule(of provider: Provider) -> IssuerRule

    /// The provider's own checks of an ID token that passed the standard's.
    ///
    /// - Parameter parameters: the program's, of the authorization request; none at a refresh.
    func check(_ claims: IDTokenClaims, of provider: Provider, parameters: [String: String]) throws(IDTokenRejection)

    /// Why an ID token that a program obtained itself cannot be trusted although its signature is valid; nil if it can. The sentence
    /// continues after the provider's name.
    func problemOfPresentedTokens(of provider: Provider) -> String?

    /// Whether `auth_time` stays the time of the sign-in when an ID token is refreshed (OpenID Connect Core section 12.2).
    var keepsAuthenticationTime: Bool { get }

    // MARK: How it says who signed in

    /// False if nothing that the provider gives says anything about the person: then an account is its name.
    func namesPeople(at provider: Provider) -> Bool

    /// The next request for the profile, given the answers so far; nil after the last.
    ///
    /// To be repeated until it returns nil. It reads no more of an answer than it needs to choose the next request.
    func nextProfileRequest(after answers: [ProviderResponse], in context: ProfileContext) -> ProviderRequest?

    /// The provider will never accept the access token again that a request for the profile was refused with.
    func endsAccessToken(_ refusal: OAuthRefusal) -> Bool

    /// Who signed in.
    func profile(from answers: [ProviderResponse], in context: ProfileContext) throws(ProfileError) -> ProviderProfile

    // MARK: How it says which client a token that a program obtained itself was issued to

    /// How to find out which client such a token was issued to.
    func audienceLookup(
        about grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> AudienceLookup

    /// What the answer says; throws if the token is not this client's, or that is not certain.
    func presentedToken(
        in answer: ProviderResponse, at provider: ResolvedProvider, now: Timestamp
    ) throws(PresentedTokenError) -> PresentedAccessToken

    // MARK: How it revokes a grant

    /// The requests that revoke a grant, in order; empty if the provider has no way.
    ///
    /// - Parameter cryptography: for a provider that requires a proof with the token.
    func revocationRequests(for grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography) -> [ProviderRequest]

    /// What the answer to one of them means.
    func revocationOutcome(of answer: ProviderResponse, now: Timestamp) -> RevocationOutcome

    // MARK: How a user signs in on another device

    /// False if the provider is known to have no device flow, so that its metadata need not be fetched to find one.
    var mayHaveDeviceFlow: Bool { get }

    /// A code is requested with the client's ID and the scopes alone: its secret is not expected (RFC 8628 section 3.1), and the parameters of
    /// an authorization request, which a server must ignore if it does not know them (RFC 6749 section 3.1), are refused or mean nothing.
    var wantsBareDeviceRequests: Bool { get }

    /// Requests a code to show.
    ///
    /// - Parameter parameters: the configured ones and the program's, by name.
    func deviceAuthorizationRequest(
        scopes: [String], parameters: [String: String], to endpoint: EndpointURL, at provider: ResolvedProvider
    ) -> ProviderRequest

    func deviceAuthorization(
        in response: ProviderResponse, at provider: ResolvedProvider, sentAt: Timestamp, now: Timestamp
    ) throws(DeviceAuthorizationError) -> DeviceAuthorization

    /// Asks whether the user has answered. Sent repeatedly, before and after a restart.
    func deviceTokenRequest(for code: Secret, at provider: ResolvedProvider) -> ProviderRequest

    /// - Parameter proofKey: the key that the poll proved possession of (RFC 9449 section 5); nil if none.
    func deviceAnswer(
        in response: ProviderResponse, at provider: ResolvedProvider, scopes: [String], sentAt: Timestamp, now: Timestamp,
        proofKey: DPoPKey?
    ) -> DeviceAnswer
}

/// OAuth 2.0 and OpenID Connect as specified.
public struct StandardDialect: ProviderDialect {
    public init() {}

    /// RFC 8707: a server that does not know the parameter ignores it, or refuses it.
    public var givesTokensForResources: Bool { true }

    public func takesOfflineAccess(of provider: Provider) -> Bool { provider.kind == .oidc }

    public func renewalScope(of provider: Provider) -> String? { provider.kind == .oidc ? OfflineAccess.scope : nil }

    /// Plain OAuth has no way of its own to say who signed in. An endpoint that only the metadata name changes nothing: its document is an
    /// OpenID provider's, which such a client is not.
    public func namesPeople(at provider: Provider) -> Bool { provider.kind != .oauth2 || provider.endpoints.userinfo != nil }

    /// Not a built-in provider's server that is configured under another name.
    ///
    /// For plain OAuth the scope means this only where the server lists it: it may be any scope there.
    public func wantsConsentForOfflineAccess(of provider: Provider, authorization: EndpointURL, isListed: Bool) -> Bool {
        (provider.kind == .oidc || (provider.kind == .oauth2 && isListed)) && !Catalogue.hasAuthorizationServer(at: authorization.host)
    }

    /// A server's metadata do not say what it does.
    public func narrowsScopes(of provider: Provider) -> Bool { provider.extensions.narrowsScopes }
}

/// OAuth 1.0a as specified, with what its providers have in common.
public struct OAuth1Dialect: ProviderDialect {
    public var needsClientSecret: Bool { true }

    public func askingAgain(at provider: Provider) -> [String: String] { [:] }

    /// RFC 5849 leaves it open: X's `denied`; `oauth_problem`, from the extension "OAuth Problem Reporting"; or OAuth 2.0's `error`.
    public func denial(in parameters: CallbackParameters) -> (error: String, description: String?)? {
        if parameters.denied != nil { return ("access_denied", nil) }
        if let problem = parameters["oauth_problem"]?.reveal() { return (problem, parameters["oauth_problem_advice"]?.reveal()) }
        return parameters.error.map { ($0, parameters.errorDescription) }
    }

    /// The same status may mean the signature, the timestamp or the client (RFC 5849 section 3.2), and no code says which.
    public func endsAccessToken(_ refusal: OAuthRefusal) -> Bool { false }

    public func revocationRequests(
        for grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> [ProviderRequest] {
        // OAuth 1.0a has no revocation. If a URL for it is configured, the token in the signature is the one to revoke.
        provider.revocation.map { [ProviderRequest(method: "POST", url: $0.text)] } ?? []
    }
}

/// How a provider's client is configured: its own keys, and the required ones.
extension ProviderDialect {
    public var needsClientSecret: Bool { false }

    public var settings: [ProviderSetting] { [] }

    public func configured(_ provider: Provider, with settings: ProviderSettings) throws(ProviderSettingError) -> Provider { provider }

    /// The client secret, if it is sent or required.
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
}
