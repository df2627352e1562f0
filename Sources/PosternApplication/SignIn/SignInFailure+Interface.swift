import PosternCore
import PosternInterface

extension InterfaceError {
    /// How a failed sign-in is reported on the socket.
    init(_ failure: SignInFailure, session: SignInSession, providerName: String) {
        let app = session.request.app
        switch failure {
        case .provider(let failure): self.init(failure, providerID: session.request.providerID, providerName: providerName)
        case .timedOut:
            self = .signInTimedOut(
                message: "nobody finished the sign-in at \(providerName) in time; start it again", sessionID: session.id)
        case .cancelled:
            self = .signInCancelled(message: "the sign-in at \(providerName) was cancelled", sessionID: session.id)
        case .ownerEnded(isSignedOut: true):
            self = .noCurrentUser(
                message: "the app \(app) signed out while this was waiting for \(providerName); sign in, then start it again", app: app)
        case .ownerEnded(isSignedOut: false):
            self = .userMismatch(
                message:
                    "the app \(app) signed in again, or its user's ways to sign in changed, while this was waiting for \(providerName); start it again"
            )
        case .otherAccount(let asked, let signedIn):
            let found = signedIn == asked ? "another account with that name" : signedIn
            self = .userMismatch(
                message: "\(asked) was requested, but \(found) signed in at \(providerName), so nothing was stored; "
                    + "sign in there as \(asked), or in another browser or profile")
        }
    }

    init(_ failure: SessionFailure) {
        switch failure {
        case .unknown:
            self = .sessionNotFound(
                message: "there is no pending sign-in with this session ID; it may have expired (postern sessions lists the pending ones)")
        case .ended: self = .sessionNotFound(message: "this sign-in has already ended")
        case .ending: self = .sessionNotFound(message: "this sign-in is ending just now, with a result")
        case .delivered: self = .sessionNotFound(message: "the result of this sign-in was already delivered, or is being delivered")
        case .tooMany(let limit):
            self = .tooManySessions(
                message: "\(limit) sign-ins are already waiting; finish or cancel some of them (postern sessions)", limit: limit)
        case .locked(let sessionID):
            let advice =
                sessionID.map { "unlock it, then resume the sign-in with: postern attach \($0)" } ?? "unlock it, then sign in again"
            self = .storeLocked(message: "the store was locked; \(advice)")
        case .noRandomness(let failure): self = .internalError(message: "the system returned no random numbers: \(failure)")
        case .store(let error): self.init(error)
        }
    }
}
