import PosternCore
import PosternInterface

/// A request of ours that a provider refused, kept for whoever looks for the reason later.
struct ProviderRefusal: Sendable, Equatable {
    var refusedAt: Timestamp
    /// The provider's own code, if it gave one.
    var error: String?
    var message: String

    /// - Returns: nil if the failure is not the provider's: a user who declined, a network that was down, a store that is locked.
    init?(_ failure: ProviderFailure, at now: Timestamp) {
        refusedAt = now
        switch failure {
        case .denied(let error, _) where DenialCode.isDecision(error): return nil
        case .denied(let error, _), .exchangeFailed(let error?, _, _), .requestRejected(let error, _, _): self.error = error
        case .scopeRejected: error = "invalid_scope"
        case .exchangeFailed(nil, _, _), .foreignAnswer, .unreachable, .invalidIDToken, .providerNotConfigured, .storeUnavailable,
            .storeLocked, .internal:
            return nil
        }
        message = "\(failure)"
    }
}
