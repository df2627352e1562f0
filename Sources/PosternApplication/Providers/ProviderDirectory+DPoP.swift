import PosternCore

extension ProviderDirectory {
    /// Sends a request with a proof of a key if there is one (RFC 9449), and once more if the server wants its nonce in the proof: it has
    /// then processed nothing else, so that a code in the request is still valid.
    ///
    /// - Parameter accessToken: the one that the request carries.
    /// - Throws: with whether the provider may have received the last request: the one before was answered.
    func send(
        _ request: ProviderRequest, to provider: Provider, proofKey: DPoPKey?, accessToken: Secret? = nil
    ) async throws(ProviderFailure) -> ProviderResponse {
        guard let proofKey else { return try await send(request, to: provider) }
        let response = try await sendProved(request, to: provider, proofKey: proofKey, accessToken: accessToken)
        guard response.wantsDPoPNonce else { return response }
        return try await sendProved(request, to: provider, proofKey: proofKey, accessToken: accessToken)
    }

    private func sendProved(
        _ request: ProviderRequest, to provider: Provider, proofKey: DPoPKey, accessToken: Secret?
    ) async throws(ProviderFailure) -> ProviderResponse {
        let proved = DPoPProof.proving(
            request, with: proofKey, accessToken: accessToken, nonce: proofNonces.nonce(for: request.url),
            randomBytes: try platform.providerBytes(DPoPProof.randomByteCount), now: platform.now, cryptography: cryptography)
        guard let proved else { throw .internal(message: "the key that the tokens are bound to is damaged; sign in again") }
        let response = try await send(proved, to: provider)
        proofNonces.answered(response, from: request.url)
        return response
    }
}
