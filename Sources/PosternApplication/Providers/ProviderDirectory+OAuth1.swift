import PosternCore

extension ProviderDirectory {
    /// Sends a request on behalf of an account, as its grant requires: with the parameters that it already has, with the proof of a key, or
    /// signed.
    func send(
        _ request: ProviderRequest, authorizedBy grant: Grant, at provider: ResolvedProvider
    ) async throws(ProviderFailure) -> ProviderResponse {
        guard provider.provider.kind == .oauth1 else {
            return try await send(request, to: provider.provider, proofKey: grant.proofKey, accessToken: grant.accessToken)
        }
        guard let token = OAuth1Token(grant) else {
            throw .internal(message: "the credential has no secret to sign requests with; sign in again")
        }
        return try await send(.authorized(request, by: token), at: provider)
    }

    /// Signs a request and sends it; signs and sends it once more if it was refused because the provider's clock differs from ours.
    func send(_ request: OAuth1Request, at provider: ResolvedProvider) async throws(ProviderFailure) -> ProviderResponse {
        // The answer is judged by the clock that the request was signed with: another request may have learnt the right one meanwhile.
        let clock = clocks[provider.id] ?? OAuth1Clock()
        let response = try await sendSigned(request, by: clock, at: provider)
        var learnt = clock
        let isToBeRepeated = learnt.answered(response, to: request, dialect: provider.dialect, now: platform.now)
        if learnt != clock { clocks[provider.id] = learnt }
        return isToBeRepeated ? try await sendSigned(request, by: learnt, at: provider) : response
    }

    private func sendSigned(
        _ request: OAuth1Request, by clock: OAuth1Clock, at provider: ResolvedProvider
    ) async throws(ProviderFailure) -> ProviderResponse {
        let nonce = RandomIdentifier.nonce(randomBytes: try platform.providerBytes(24))
        let stamp = OAuth1Request.Stamp(nonce: nonce, timestamp: clock.timestamp(now: platform.now))
        return try await send(request.signed(for: provider, with: stamp, cryptography: cryptography), to: provider.provider)
    }
}
