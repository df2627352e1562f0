import PosternCore

extension ProviderDirectory {
    /// Sends a request that proves a key if there is one (RFC 9449), and once more where the server wants its nonce in the proof:
    /// it has then looked at nothing else, so that a code in it is still valid.
    ///
    /// - Parameter accessToken: that the request carries.
    func send(
        _ request: ProviderRequest, to provider: Provider, proofKey: DPoPKey?, accessToken: Secret? = nil
    ) async throws(SignInFailure) -> ProviderResponse {
        do throws(RequestFailure) {
            return try await attempt(request, to: provider, proofKey: proofKey, accessToken: accessToken)
        } catch {
            throw error.failure
        }
    }

    /// As ``send(_:to:proofKey:accessToken:)``, for whom it matters whether the provider may know the request.
    func attempt(
        _ request: ProviderRequest, to provider: Provider, proofKey: DPoPKey?, accessToken: Secret? = nil
    ) async throws(RequestFailure) -> ProviderResponse {
        guard let proofKey else { return try await attempt(request, to: provider) }
        let response = try await sendProved(request, to: provider, proofKey: proofKey, accessToken: accessToken)
        guard response.wantsDPoPNonce else { return response }
        return try await sendProved(request, to: provider, proofKey: proofKey, accessToken: accessToken)
    }

    private func sendProved(
        _ request: ProviderRequest, to provider: Provider, proofKey: DPoPKey, accessToken: Secret?
    ) async throws(RequestFailure) -> ProviderResponse {
        let random: [UInt8]
        do throws(RandomnessFailure) { random = try platform.randomness.bytes(DPoPProof.randomByteCount) } catch {
            throw RequestFailure(
                failure: .internal(message: "the system returned no random numbers: \(error)"), mayHaveReachedServer: false)
        }
        let proved = DPoPProof.proving(
            request, with: proofKey, accessToken: accessToken, nonce: proofNonces.nonce(for: request.url), randomBytes: random,
            now: platform.now, cryptography: cryptography)
        guard let proved else {
            throw RequestFailure(
                failure: .internal(message: "the key that the tokens are bound to is damaged; sign in again"), mayHaveReachedServer: false)
        }
        let response = try await attempt(proved, to: provider)
        proofNonces.answered(response, from: request.url)
        return response
    }
}
