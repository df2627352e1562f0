import PosternCore
import PosternInterface

extension Interface.Session {
    init(_ signIn: SignInMachine) {
        let session = signIn.session
        self.init(
            sessionID: session.id, providerID: session.request.providerID, account: session.request.account, app: session.request.app.text,
            intent: Interface.Intent(session.request.intent), state: State(signIn.phase), failure: signIn.outcome.flatMap(Failure.init),
            unfetched: signIn.isUnfetched ? true : nil, startedAt: "\(session.startedAt)", expiresAt: "\(signIn.expiresAt)",
            scopes: session.request.shownScopes)
    }
}

extension Interface.Session.Failure {
    fileprivate init?(_ outcome: SignInOutcome) {
        switch outcome {
        case .completed, .kept: return nil
        case .refused: self = .refused
        case .failed(.provider(let failure)): self = failure.reason.row.error == .signInDenied ? .denied : .other
        case .failed(.ended(let ending)):
            switch ending.row().error {
            case .signInTimedOut: self = .timedOut
            case .signInCancelled: self = .cancelled
            case .noCurrentUser, .userMismatch, .scopeNotGranted: self = .other
            }
        }
    }
}

extension Interface.Session.State {
    init(_ phase: SignInSession.Phase) {
        switch phase {
        case .authorizationPending: self = .authorizationPending
        case .exchanging: self = .exchanging
        case .completed: self = .completed
        case .failed: self = .failed
        }
    }
}
