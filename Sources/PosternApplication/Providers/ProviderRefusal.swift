import PosternCore

/// A request of ours that a provider refused, kept for whoever looks for the reason later.
struct ProviderRefusal: Sendable, Equatable {
    var refusedAt: Timestamp
    /// The provider's own code, if it gave one.
    var error: String?
    var message: String

    /// - Returns: nil if the failure is not the provider's: a user who declined, a network that was down, a store that is locked.
    init?(_ failure: SignInFailure, error given: String? = nil, at now: Timestamp) {
        refusedAt = now
        switch failure {
        // RFC 6749 section 4.1.2.1: the user's own decision.
        case .denied("access_denied", _): return nil
        case .denied(let error, _): self.error = error
        case .exchangeFailed(let error?, _, _): self.error = error
        case .scopeRejected: error = given ?? "invalid_scope"
        case .providerNotConfigured where given != nil: error = given
        case .exchangeFailed(nil, _, _), .timedOut, .cancelled, .ownerEnded, .foreignAnswer, .unreachable, .invalidIDToken, .otherAccount,
            .providerNotConfigured, .storeUnavailable, .storeLocked, .internal:
            return nil
        }
        message = "\(failure)"
    }
}
