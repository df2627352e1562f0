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

    /// - Parameter accounts: the names in the configuration, if they are accepted as well.
    init(_ failure: ProviderUnavailable, accounts: [String] = []) {
        switch failure {
        case .unknown(let id, let known):
            let name = ProviderText.cleaned(id, longest: 64)
            let kind = accounts.isEmpty ? "provider" : "provider or account"
            let problem = name.map { "there is no \(kind) called \"\($0)\"" } ?? "the provider's name is empty"
            let providers = known.isEmpty ? "none" : known.joined(separator: ", ")
            let lists =
                accounts.isEmpty ? "known are: \(providers)" : "providers: \(providers); accounts: \(accounts.joined(separator: ", "))"
            self = .providerNotFound(message: "\(problem); \(lists)", providerID: id)
        case .unusable(let provider, let problem):
            self = .providerNotConfigured(message: "\(provider.displayName) cannot be used: \(problem)", providerID: provider.id)
        case .listenerUnusable(let error): self.init(error)
        }
    }

    init(_ failure: PresentedFailure, of provider: Provider) {
        let name = provider.displayName
        switch failure {
        case .token(.transient(let failure)):
            self = .providerUnreachable(message: "\(name): \(PresentedTokenError.transient(failure))", providerID: provider.id)
        case .token(let error): self = .invalidCredential(message: "\(name): \(error)")
        case .signIn(let failure): self.init(failure, providerID: provider.id, providerName: name)
        }
    }
}
