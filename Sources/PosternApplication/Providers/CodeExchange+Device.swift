import PosternCore

/// The conversation of the device flow (RFC 8628).
extension CodeExchange {
    /// Obtains a code to show.
    func deviceAuthorization(
        for session: SignInSession, of provider: Provider
    ) async throws(ProviderFailure) -> DeviceAuthorization {
        let resolved = try await providers.resolveForDevice(provider)
        guard let endpoint = resolved.deviceAuthorization else {
            throw .providerNotConfigured(message: "\(provider.displayName) has no device-authorization-endpoint")
        }
        let asked = session.request
        let parameters: [String: String]
        do throws(AuthorizationRequestError) {
            parameters = try AuthorizationRequest.further(
                asked.parameters, loginHint: asked.loginHint, of: resolved, to: endpoint)
        } catch {
            throw .providerNotConfigured(message: "no code can be requested from \(provider.displayName): \(error)")
        }
        let request = provider.dialect.deviceAuthorizationRequest(
            scopes: asked.scopes(at: resolved), parameters: parameters, to: endpoint, at: resolved)
        let sentAt = platform.now
        let response = try await providers.send(request, to: provider)
        let device: DeviceAuthorization
        do throws(DeviceAuthorizationError) {
            device = try provider.dialect.deviceAuthorization(in: response, at: resolved, sentAt: sentAt, now: platform.now)
        } catch {
            throw error.providerFailure(at: provider.displayName)
        }
        let issuer = providers.issuerBinding(of: provider)
        do throws(EndpointRefusal) {
            for page in [device.verificationURI, device.verificationURIComplete].compactMap({ $0.flatMap { try? EndpointURL($0) } }) {
                try issuer.check(codePage: page)
            }
        } catch {
            throw error.providerFailure(at: provider)
        }
        return device
    }

    /// Asks once whether the user has answered.
    ///
    /// - Throws: if the provider is another one by now.
    func deviceAnswer(to poll: DevicePoll) async throws(ProviderFailure) -> DeviceAnswer {
        let session = poll.ticket.session
        let provider = try providers.provider(session.request.providerID, boundTo: session.binding)
        do throws(ProviderFailure) {
            let resolved = try await providers.resolve(provider)
            let request = provider.dialect.deviceTokenRequest(for: poll.device.deviceCode, at: resolved)
            let sentAt = platform.now
            let response = try await providers.send(request, to: provider, proofKey: poll.proofKey)
            let answer = provider.dialect.deviceAnswer(
                in: response, at: resolved, scopes: session.request.scopes(at: resolved), sentAt: sentAt, now: platform.now,
                proofKey: poll.proofKey)
            if case .failed = answer {
                discardTokens(in: response, of: session, boundTo: poll.proofKey, at: resolved, sentAt: sentAt)
            }
            return answer
        } catch {
            // A lost network says nothing about what the user does.
            if error.reason == .unreachable { return .unavailable(retryAfterSeconds: nil) }
            throw error
        }
    }

    /// The same checks as for a code that a browser brought. No nonce could be sent, so none may be returned.
    func run(_ grant: Grant, of session: SignInSession) async throws(ProviderFailure) -> ExchangedCode {
        let resolved: ResolvedProvider
        do throws(ProviderFailure) {
            resolved = try await providers.resolve(try providers.provider(session.request.providerID, boundTo: session.binding))
        } catch {
            discard(grant, session: session)
            throw error
        }
        return try await complete(grant, of: session, at: resolved)
    }
}

extension DeviceAuthorizationError {
    fileprivate func providerFailure(at name: String) -> ProviderFailure {
        var failure = providerFailure
        failure.message = "\(name) \(failure.reason == .providerNotConfigured ? "cannot be used this way" : "gave no code"): \(failure)"
        return failure
    }
}
