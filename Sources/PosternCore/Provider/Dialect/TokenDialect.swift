import StrictJSON

/// How a provider's token endpoint is asked, and how it answers.
public protocol TokenDialect: Sendable {
    /// How a client that has a secret shows it, where neither the configuration nor metadata say (RFC 8414 section 2).
    var usualClientAuthentication: ClientAuthentication { get }

    /// The token endpoint may answer in `application/x-www-form-urlencoded`.
    var answersTokenRequestsInForms: Bool { get }

    /// What an answer's members say of a refusal in another way than RFC 6749 section 5.2; nil if they say none.
    func refusal(in members: JSONObject, status: Int) -> TokenEndpointError?

    /// What to try after such a refusal, for the user who set the provider up: goes on from the refusal's own words.
    func advice(on refusal: OAuthRefusal) -> String?

    /// A signed request was refused because the time in it is wrong, before anything else was looked at.
    func refusesTimestamp(_ refusal: OAuthRefusal) -> Bool

    /// The provider will take this refresh token never again, so that the user must sign in.
    func endsRefreshToken(_ error: TokenEndpointError) -> Bool

    /// Further parameters of a refresh.
    ///
    /// - Parameter redirectURI: of a sign-in that would begin now.
    func refreshParameters(redirectURI: String) -> [(name: String, value: String)]

    /// A question that makes a better grant of the one that a code gave, such as a longer-lived one; its answer is read as a
    /// token answer. Nil if there is none. If it fails, the first grant stands.
    func followUp(to grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography) -> ProviderRequest?

    /// There are no refresh tokens: as long as an access token is good, ``followUp(to:at:cryptography:)`` renews it.
    var accessTokenRenewsItself: Bool { get }

    /// A refresh can ask for a token for one service, and the tokens from before stay good.
    var givesTokensForResources: Bool { get }

    /// A refresh can ask for fewer scopes (RFC 6749 section 6), and the refresh token keeps all of them. Some servers keep what was asked
    /// for last, others end the access token from before.
    func narrowsScopes(of provider: Provider) -> Bool

    /// What a refresh adds for a token that is restricted so.
    func parameters(of restriction: TokenRestriction) -> [(name: String, value: String)]

    /// As ``endsRefreshToken(_:)``, after a refresh that asked for a restricted token: what was refused may be the restriction alone.
    func endsRefreshToken(_ error: TokenEndpointError, asking restriction: TokenRestriction) -> Bool

    /// The scopes in the `scope` of a token answer.
    func decodeScopes(_ text: String) -> [String]

    /// Which of the scopes asked for are not among those granted, nor implied by one of them.
    func missingScopes(asked: [String], granted: [String]) -> [String]
}

extension TokenDialect {
    public func refusal(in members: JSONObject, status: Int) -> TokenEndpointError? { nil }

    public var usualClientAuthentication: ClientAuthentication { .clientSecretBasic }

    public func advice(on refusal: OAuthRefusal) -> String? { nil }

    /// The word of the extension "OAuth Problem Reporting".
    public func refusesTimestamp(_ refusal: OAuthRefusal) -> Bool { refusal.error == "timestamp_refused" }

    public func endsRefreshToken(_ error: TokenEndpointError) -> Bool { error.endsRefreshToken }

    public func refreshParameters(redirectURI: String) -> [(name: String, value: String)] { [] }

    public func followUp(to grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography) -> ProviderRequest? { nil }

    public var accessTokenRenewsItself: Bool { false }

    /// A provider that is built in says so itself: most of them know no such thing.
    public var givesTokensForResources: Bool { false }

    public func narrowsScopes(of provider: Provider) -> Bool { false }

    public func parameters(of restriction: TokenRestriction) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        if let resource = restriction.resource { parameters.append(("resource", resource)) }
        if !restriction.scopes.isEmpty { parameters.append(("scope", restriction.scopes.joined(separator: " "))) }
        return parameters
    }

    /// The two that are said of a refresh token itself.
    public func endsRefreshToken(_ error: TokenEndpointError, asking restriction: TokenRestriction) -> Bool {
        guard endsRefreshToken(error), case .refused(let refusal) = error, let word = refusal.error else { return false }
        return ["invalid_grant", "bad_refresh_token"].contains(word)
    }

    public var answersTokenRequestsInForms: Bool { false }

    public func decodeScopes(_ text: String) -> [String] { Scopes.parse(text, separators: [" "]) }

    public func missingScopes(asked: [String], granted: [String]) -> [String] {
        // Most often they are few, and a set costs more than it saves. A provider may name thousands.
        guard granted.count > 16 else { return asked.filter { !granted.contains($0) } }
        let granted = Set(granted)
        return asked.filter { !granted.contains($0) }
    }
}

/// How a provider takes a grant back.
public protocol RevocationDialect: Sendable {
    /// What takes a grant back, in order; empty if the provider has no way.
    func revocationRequests(for grant: Grant, at provider: ResolvedProvider) -> [ProviderRequest]

    /// The same, for providers that want a proof beside the token; the one that is asked.
    func revocationRequests(for grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography) -> [ProviderRequest]

    /// What one answer to them means.
    func revocationOutcome(of answer: ProviderResponse, now: Timestamp) -> RevocationOutcome
}

extension RevocationDialect {
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
