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
        guard let code = failure.error ?? failure.reason.row.usualCode else { return nil }
        if failure.reason == .denied, DenialCode.isDecision(code) { return nil }
        error = code
        message = "\(failure)"
    }
}
