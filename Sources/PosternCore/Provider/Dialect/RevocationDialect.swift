/// How a provider takes a grant back.
public protocol RevocationDialect: Sendable {
    /// What takes a grant back, in order; empty where the provider has no way.
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
