import PosternCore
import PosternInterface

extension InterfaceError {
    /// How a failed sign-in is reported on the socket.
    init(_ failure: SignInFailure, session: SignInSession, providerName: String) {
        self.init(
            failure, providerID: session.request.providerID, providerName: providerName, app: session.request.app, sessionID: session.id)
    }

    /// How a failed request to a provider is reported.
    ///
    /// - Parameter sessionID: the sign-in that it was made for; empty if there is none.
    init(_ failure: SignInFailure, providerID: String, providerName: String, app: String = "", sessionID: String = "") {
        switch failure {
        case .denied(let error, let description):
            let advice = ["server_error", "temporarily_unavailable"].contains(error) ? "; try again later" : ""
            self = .signInDenied(
                message: DenialCode.isDecision(error)
                    ? "\(providerName) did not grant the sign-in: \(description ?? error)"
                    : "\(providerName) answered with an error instead of signing anybody in: \(failure)\(advice)",
                providerID: providerID, error: error, errorDescription: description)
        case .timedOut:
            self = .signInTimedOut(
                message: "nobody finished the sign-in at \(providerName) in time; start it again", sessionID: sessionID)
        case .cancelled:
            self = .signInCancelled(message: "the sign-in at \(providerName) was cancelled", sessionID: sessionID)
        case .ownerEnded(isSignedOut: true):
            self = .noCurrentUser(
                message: "the app \(app) signed out while this was waiting for \(providerName); sign in, then start it again", app: app)
        case .ownerEnded(isSignedOut: false):
            self = .userMismatch(
                message:
                    "the app \(app) signed in again, or its user's ways to sign in changed, while this was waiting for \(providerName); start it again"
            )
        case .exchangeFailed(let error, let description, let message):
            self = .exchangeFailed(message: message, providerID: providerID, error: error, errorDescription: description)
        case .foreignAnswer(let message):
            self = .exchangeFailed(message: message, providerID: providerID)
        case .unreachable(let message):
            self = .providerUnreachable(message: message, providerID: providerID)
        case .invalidIDToken(let reason):
            self = .invalidIDToken(
                message: "\(providerName)'s answer was refused: \(reason)", providerID: providerID, reason: reason)
        case .otherAccount(let asked, let signedIn):
            let found = signedIn == asked ? "another account with that name" : signedIn
            self = .userMismatch(
                message: "\(asked) was requested, but \(found) signed in at \(providerName), so nothing was stored; "
                    + "sign in there as \(asked), or in another browser or profile")
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
