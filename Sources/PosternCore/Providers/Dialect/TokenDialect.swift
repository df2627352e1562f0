import StrictJSON

/// How a provider's token endpoint is asked, and how it answers.
extension ProviderDialect {
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
extension ProviderDialect {
    public func revocationRequests(
        for grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography
    ) -> [ProviderRequest] {
        RevocationRequest.requests(for: grant, at: provider)
    }

    public func revocationOutcome(of answer: ProviderResponse, now: Timestamp) -> RevocationOutcome {
        RevocationOutcome(answer: answer, now: now)
    }
}
