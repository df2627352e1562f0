import PosternCore
import PosternInterface

/// While the store is locked, its sign-ins are on disk alone.
extension SignInCoordinator {
    /// Lets go of the sign-ins that wait for their person. They come back with the store, and what the browser brings then is taken.
    func endWaiting() {
        for session in table.sessions where session.phase == .authorizationPending { drop(session) }
        reschedule()
        platform.activityChanged()
    }

    /// Lets go of the rest, results that nobody has fetched among it.
    func forgetAll() {
        for session in table.sessions { drop(session) }
        reschedule()
    }

    private func drop(_ session: SignInSession) {
        let isKept = pages[session.id]?.isStored == true
        let waiting = table.waiters(of: session.id)
        stopPolling(session.id)
        table.forgot(session.id)
        pages[session.id] = nil
        wakePages(of: session.id)
        let advice =
            isKept ? "unlock it, then take the sign-in up again with: postern attach \(session.id)" : "unlock it, then sign in again"
        for id in waiting {
            waiters.removeValue(forKey: id)?.listener.failed(.storeLocked(message: "the store was locked; \(advice)"))
        }
    }
}
