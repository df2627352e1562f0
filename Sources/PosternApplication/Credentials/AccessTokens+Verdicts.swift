import PosternCore
import PosternInterface

/// What a program is told that wanted a token.
extension AccessTokens {
    func told(_ verdict: TokenVerdict, providerID: String) -> Result<StoredCredential, InterfaceError> {
        var name: String { providers.displayName(providerID) }
        switch verdict {
        case .token(let credential): return .success(credential)
        case .signInRequired(let requirement):
            return .failure(
                .signInRequired(
                    message: "signing in at \(name) is needed: \(requirement); run `postern sign-in \(providerID)`", providerID: providerID,
                    reason: "\(requirement)"))
        case .scopeNotGranted(let missing):
            return .failure(
                .scopeNotGranted(
                    message: "\(name) has not granted \(missing.joined(separator: ", ")); sign in again and ask for it", missing: missing))
        case .failed(let failure): return .failure(Self.interfaceError(failure, providerID: providerID, name: name))
        case .notSaved(let problem): return .failure(InterfaceError(problem))
        case .takenBack:
            return .failure(
                .signInRequired(
                    message: "the credential at \(name) was taken back while it was being renewed; sign in again", providerID: providerID,
                    reason: "the credential was revoked"))
        }
    }

    static func interfaceError(_ told: ToldFailure, providerID: String, name: String) -> InterfaceError {
        let pause = told.pauseSeconds.map { "; \(name) is not asked again for \($0) s" } ?? ""
        switch told.failure {
        case .denied(let error, let description):
            let lost =
                told.followsLostAnswer
                ? ": the answer to the renewal before never came, and the next refresh token was probably in it" : ""
            return .signInRequired(
                message: "\(name) does not renew the token any more (\(description ?? error))\(lost)\(pause); "
                    + "run `postern sign-in \(providerID)`",
                providerID: providerID, reason: description ?? "the provider does not renew the token")
        case .invalidIDToken(let reason):
            return .invalidIDToken(
                message: "the refreshed ID token of \(name) was refused: \(reason)\(pause)", providerID: providerID, reason: reason)
        case .unreachable(let message): return .providerUnreachable(message: message + pause, providerID: providerID)
        case .exchangeFailed(let error, let description, let message):
            return .exchangeFailed(message: message + pause, providerID: providerID, error: error, errorDescription: description)
        case .providerNotConfigured(let message): return .providerNotConfigured(message: message + pause, providerID: providerID)
        case .storeUnavailable(let message): return .storeDamaged(message: message)
        case .timedOut, .cancelled, .otherAccount, .internal:
            return .internalError(message: "the refresh ended without an answer; try again")
        }
    }
}
