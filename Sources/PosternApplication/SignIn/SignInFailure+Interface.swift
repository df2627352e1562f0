import PosternCore
import PosternInterface

extension InterfaceError {
    /// How a failed sign-in is reported on the socket.
    init(_ failure: SignInFailure, session: SignInSession, providerName: String) {
        switch failure {
        case .provider(let failure): self.init(failure, providerID: session.request.providerID, providerName: providerName)
        case .ended(let ending):
            let app = session.request.app
            let row = ending.row(app: app, providerName: providerName)
            self =
                switch row.error {
                case .signInTimedOut: .signInTimedOut(message: row.message + Self.advice(onClientOf: session), sessionID: session.id)
                case .signInCancelled: .signInCancelled(message: row.message, sessionID: session.id)
                case .noCurrentUser: .noCurrentUser(message: row.message, app: app.text)
                case .userMismatch: .userMismatch(message: row.message)
                case .scopeNotGranted: .scopeNotGranted(message: row.message, missing: ending.missing ?? [])
                }
        }
    }

    /// An issuer that refuses a client document shows its page, and sends nobody back.
    private static func advice(onClientOf session: SignInSession) -> String {
        let id = session.binding.clientID
        guard (try? ClientDocument.url(id)) != nil else { return "" }
        let registered = session.binding.server == nil ? "" : "have one registered (registration = \"dynamic\"), or "
        return "; if its page refused the client \(id), \(registered)register one there by hand and give its ID "
            + "(client-id; postern mcp add has --client-id)"
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
