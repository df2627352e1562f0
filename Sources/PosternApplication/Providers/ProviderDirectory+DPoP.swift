import PosternCore

extension ProviderDirectory {
    /// Sends a request with a proof of a key if there is one (RFC 9449), and once more if the server wants its nonce in the proof: it has
    /// then processed nothing else, so that a code in the request is still valid.
    ///
    /// - Parameter accessToken: the one that the request carries.
    func send(
        _ request: ProviderRequest, to provider: Provider, proofKey: DPoPKey?, accessToken: Secret? = nil
    ) async throws(ProviderFailure) -> ProviderResponse {
        do throws(RequestFailure) {
            return try await attempt(request, to: provider, proofKey: proofKey, accessToken: accessToken)
        } catch {
            throw error.failure
        }
    }

    /// As ``send(_:to:proofKey:accessToken:)``, for callers that must know whether the provider may have received the request.
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
