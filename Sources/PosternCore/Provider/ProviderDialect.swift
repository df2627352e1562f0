/// What a provider does in its own way. The defaults are the standard's way, so that a provider states its differences only.
///
/// All of it decides and nothing acts: requests are described, answers are read, and who carries them between is the caller.
public protocol ProviderDialect: Sendable {
    /// A client secret is asked for at the token endpoint even where PKCE is used.
    var needsClientSecret: Bool { get }

    // MARK: Authorization

    /// The value of `scope` in an authorization request (RFC 6749 section 3.3).
    func encodeScopes(_ scopes: [String]) -> String

    /// Under which name the account that the program would like is sent (OpenID Connect Core section 3.1.2.1).
    var loginHintParameter: String { get }

    /// What `iss` in the callback is compared with; nil where the provider has no issuer (RFC 9207 section 2.4).
    func authorizationResponseIssuer(of provider: Provider, authorization: EndpointURL) -> String?

    // MARK: Token

    /// The token endpoint may answer in `application/x-www-form-urlencoded`.
    var answersTokenRequestsInForms: Bool { get }

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

    // MARK: Revocation

    /// What takes a grant back, in order; empty where the provider has no way.
    func revocationRequests(for grant: Grant, at provider: ResolvedProvider) -> [ProviderRequest]

    /// What one answer to them means.
    func revocationOutcome(of answer: ProviderResponse, now: Timestamp) -> RevocationOutcome
}

/// OAuth 2.0 and OpenID Connect as they are written.
public struct StandardDialect: ProviderDialect {
    public init() {}
}

extension ProviderDialect {
    public var needsClientSecret: Bool { false }

    public func encodeScopes(_ scopes: [String]) -> String { scopes.joined(separator: " ") }

    public var loginHintParameter: String { "login_hint" }

    public func authorizationResponseIssuer(of provider: Provider, authorization: EndpointURL) -> String? { provider.issuer }

    public var answersTokenRequestsInForms: Bool { false }

    public func decodeScopes(_ text: String) -> [String] { Scopes.parse(text, separators: [" "]) }

    public func missingScopes(asked: [String], granted: [String]) -> [String] {
        let granted = Set(granted)
        return asked.filter { !granted.contains($0) }
    }

    public func revocationRequests(for grant: Grant, at provider: ResolvedProvider) -> [ProviderRequest] {
        RevocationRequest.requests(for: grant, at: provider)
    }

    public func revocationOutcome(of answer: ProviderResponse, now: Timestamp) -> RevocationOutcome {
        RevocationOutcome(answer: answer, now: now)
    }
}
