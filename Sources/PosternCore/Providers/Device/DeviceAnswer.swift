import StrictJSON

/// What one answer to a poll means (RFC 8628 section 3.5).
public enum DeviceAnswer: Sendable, Equatable {
    case granted(Grant)
    /// The user has not answered yet.
    case pending
    /// Polled too often. With the interval that the provider requires from now on, if it names one.
    case slowDown(intervalSeconds: Int64?)
    /// The provider cannot answer now, or cannot be reached.
    case unavailable(retryAfterSeconds: Int64?)
    /// The answer is hardly the token endpoint's: a portal's page, a gateway's error.
    case unreadable(ProviderFailure)
    case expired
    /// The user declined.
    case denied(error: String, description: String?)
    /// Any other refusal: the same request would be refused again.
    case failed(ProviderFailure)
}

extension DeviceAnswer {
    /// Reads it as RFC 8628 specifies. The status decides nothing: pending is 400 by the standard, 428 at Google and 200 at GitHub.
    ///
    /// - Parameters:
    ///   - scopes: what was requested.
    ///   - sentAt: when the poll was sent.
    ///   - proofKey: the key that the poll proved possession of.
    public init(
        _ response: ProviderResponse, at provider: ResolvedProvider, scopes: [String], sentAt: Timestamp, now: Timestamp,
        proofKey: DPoPKey? = nil
    ) {
        do throws(TokenEndpointError) {
            self = .granted(
                try TokenResponse.grant(
                    from: response, to: .exchange, at: provider, scopes: scopes, sentAt: sentAt, now: now, proofKey: proofKey))
        } catch {
            self.init(error, in: response, at: provider, now: now)
        }
    }

    private init(_ error: TokenEndpointError, in response: ProviderResponse, at provider: ResolvedProvider, now: Timestamp) {
        switch error {
        case .refused(let refusal):
            self.init(refusal, else: error.providerFailure(at: provider.provider.displayName))
        // With any status: an endpoint that says so has understood the request.
        case .transient(let failure) where failure.error == "authorization_pending":
            self = .pending
        case .transient(let failure) where failure.error == "slow_down":
            self = .slowDown(intervalSeconds: Self.interval(in: response))
        case .transient(let failure):
            self = .unavailable(retryAfterSeconds: failure.retryAfterSeconds)
        case .malformed(.notJSON, nil), .malformed(.redirect, _), .malformed(.notAnObject, nil), .malformed(.notAForm, nil):
            self = .unreadable(error.providerFailure(at: provider.provider.displayName))
        case .malformed:
            self = .failed(error.providerFailure(at: provider.provider.displayName))
        }
    }

    /// The meaning of an error code of the standard, of GitHub (`token_expired`) or of Microsoft (`authorization_declined`).
    ///
    /// - Parameter failure: the meaning of any other code.
    public init(_ refusal: OAuthRefusal, else failure: ProviderFailure) {
        switch refusal.error {
        case "authorization_pending": self = .pending
        case "expired_token", "token_expired": self = .expired
        case "access_denied", "authorization_declined":
            self = .denied(error: refusal.error ?? "", description: refusal.errorDescription)
        case "device_flow_disabled": self = .failed(DeviceAuthorizationError.refused(refusal).providerFailure)
        default: self = .failed(failure)
        }
    }

    /// GitHub's answer names the interval from now on.
    private static func interval(in response: ProviderResponse) -> Int64? {
        guard case .integer(let seconds)? = response.members?["interval"], seconds > 0 else { return nil }
        return seconds
    }
}
