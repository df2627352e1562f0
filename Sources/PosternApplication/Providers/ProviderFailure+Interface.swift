import PosternCore
import PosternInterface

extension InterfaceError {
    /// How a failed request to a provider is reported on the socket.
    ///
    /// - Parameters:
    ///   - isOfRenewal: the request was for a fresh token; nobody was signing in.
    ///   - signIn: the arguments of `postern sign-in` that mean the account; nil for those that mean the provider.
    init(_ failure: ProviderFailure, providerID: String, providerName name: String, isOfRenewal: Bool = false, signIn: String? = nil) {
        let pause = failure.pauseSeconds.map { "; \(name) will not be asked again for \($0) s" } ?? ""
        let message = failure.message + pause
        switch failure.reason.row.error {
        case .signInDenied where isOfRenewal:
            let said = failure.errorDescription ?? failure.message
            let lost =
                failure.followsLostAnswer
                ? ": the answer to the previous renewal never arrived, and probably contained the new refresh token" : ""
            self = .signInRequired(
                message: "\(name) no longer renews the token (\(said))\(lost)\(pause); run `postern sign-in \(signIn ?? providerID)`",
                providerID: providerID, reason: failure.errorDescription ?? "the provider does not renew the token")
        case .signInDenied:
            let error = failure.error ?? failure.message
            let advice = ["server_error", "temporarily_unavailable"].contains(error) ? "; try again later" : ""
            self = .signInDenied(
                message: DenialCode.isDecision(error)
                    ? "\(name) did not grant the sign-in: \(failure.errorDescription ?? error)"
                    : "\(name) answered with an error instead of signing anybody in: \(failure)\(advice)",
                providerID: providerID, error: error, errorDescription: failure.errorDescription)
        case .exchangeFailed:
            self = .exchangeFailed(
                message: message, providerID: providerID, error: failure.error, errorDescription: failure.errorDescription)
        case .providerUnreachable: self = .providerUnreachable(message: message, providerID: providerID)
        case .invalidIDToken:
            let what = isOfRenewal ? "the refreshed ID token of \(name)" : "\(name)'s answer"
            self = .invalidIDToken(message: "\(what) was refused: \(message)", providerID: providerID, reason: failure.message)
        case .providerNotConfigured: self = .providerNotConfigured(message: message, providerID: providerID)
        case .invalidCredential: self = .invalidCredential(message: message)
        case .storeDamaged: self = .storeDamaged(message: failure.message)
        case .storeLocked: self = .storeLocked(message: failure.message)
        case .internalError: self = .internalError(message: isOfRenewal ? "the refresh ended without an answer; try again" : message)
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
}
