import StrictJSON

/// How a provider's token endpoint is asked, and how it answers.
public protocol TokenDialect: Sendable {
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
}

extension TokenDialect {
    public func refusal(in members: JSONObject, status: Int) -> TokenEndpointError? { nil }

    public var usualClientAuthentication: ClientAuthentication { .clientSecretBasic }

    /// RFC 9449 section 5: servers compare a proof's `iat` with their own clock.
    public func advice(on refusal: OAuthRefusal) -> String? {
        refusal.error == "invalid_dpop_proof" ? "check this machine's clock" : nil
    }

    /// The error of the extension "OAuth Problem Reporting".
    public func refusesTimestamp(_ refusal: OAuthRefusal) -> Bool { refusal.error == "timestamp_refused" }

    public func endsRefreshToken(_ error: TokenEndpointError) -> Bool { error.endsRefreshToken }

    public func refreshParameters(redirectURI: String) -> [(name: String, value: String)] { [] }

    public func followUp(to grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography) -> ProviderRequest? { nil }

    public var accessTokenRenewsItself: Bool { false }

    /// A built-in provider declares it: most of them have no such thing.
    public var givesTokensForResources: Bool { false }

    public func narrowsScopes(of provider: Provider) -> Bool { false }

    public func parameters(of restriction: TokenRestriction) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        if let resource = restriction.resource { parameters.append(("resource", resource)) }
        if !restriction.scopes.isEmpty { parameters.append(("scope", restriction.scopes.joined(separator: " "))) }
        return parameters
    }

    /// The two errors that are about the refresh token itself.
    public func endsRefreshToken(_ error: TokenEndpointError, asking restriction: TokenRestriction) -> Bool {
        guard endsRefreshToken(error), case .refused(let refusal) = error, let word = refusal.error else { return false }
        return ["invalid_grant", "bad_refresh_token"].contains(word)
    }

    public var answersTokenRequestsInForms: Bool { false }

    public func decodeScopes(_ text: String) -> [String] { Scopes.parse(text, separators: [" "]) }

    public func missingScopes(asked: [String], granted: [String]) -> [String] {
        // Usually they are few, and a set costs more than it saves. A provider may name thousands.
        guard granted.count > 16 else { return asked.filter { !granted.contains($0) } }
        let granted = Set(granted)
        return asked.filter { !granted.contains($0) }
    }
}

/// How a provider revokes a grant.
public protocol RevocationDialect: Sendable {
    /// The requests that revoke a grant, in order; empty if the provider has no way.
    ///
    /// - Parameter cryptography: for a provider that requires a proof with the token.
    func revocationRequests(for grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography) -> [ProviderRequest]

    /// What the answer to one of them means.
    func revocationOutcome(of answer: ProviderResponse, now: Timestamp) -> RevocationOutcome
}

extension RevocationDialect {
    public func revocationRequests(
        for grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> [ProviderRequest] {
        RevocationRequest.requests(for: grant, at: provider)
    }

    public func revocationOutcome(of answer: ProviderResponse, now: Timestamp) -> RevocationOutcome {
        RevocationOutcome(answer: answer, now: now)
    }
}
