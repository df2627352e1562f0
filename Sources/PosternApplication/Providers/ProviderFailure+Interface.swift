import PosternCore
import PosternInterface

extension InterfaceError {
    /// How a failed request to a provider is reported on the socket.
    init(_ failure: ProviderFailure, providerID: String, providerName: String) {
        switch failure {
        case .denied(let error, let description):
            let advice = ["server_error", "temporarily_unavailable"].contains(error) ? "; try again later" : ""
            self = .signInDenied(
                message: DenialCode.isDecision(error)
                    ? "\(providerName) did not grant the sign-in: \(description ?? error)"
                    : "\(providerName) answered with an error instead of signing anybody in: \(failure)\(advice)",
                providerID: providerID, error: error, errorDescription: description)
        case .exchangeFailed(let error, let description, let message):
            self = .exchangeFailed(message: message, providerID: providerID, error: error, errorDescription: description)
        case .foreignAnswer(let message):
            self = .exchangeFailed(message: message, providerID: providerID)
        case .unreachable(let message):
            self = .providerUnreachable(message: message, providerID: providerID)
        case .invalidIDToken(let reason):
            self = .invalidIDToken(
                message: "\(providerName)'s answer was refused: \(reason)", providerID: providerID, reason: reason)
        case .providerNotConfigured(let message), .scopeRejected(let message), .requestRejected(_, _, let message):
            self = .providerNotConfigured(message: message, providerID: providerID)
        case .storeUnavailable(let message):
            self = .storeDamaged(message: message)
        case .storeLocked(let message):
            self = .storeLocked(message: message)
        case .internal(let message):
            self = .internalError(message: message)
        }
    }
}
