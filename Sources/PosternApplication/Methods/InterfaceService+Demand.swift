import PosternCore
import PosternInterface

/// What waits for the store is bounded, and what its client no longer waits for is dropped.
extension InterfaceService {
    /// Runs what begins the call's work, which has the demand from then on; refuses the call where the store does not keep up.
    func withDemand(of method: Interface.Method, _ reply: any InterfaceReply, _ body: () -> Void) {
        guard method.beginsWithAccounts else { return body() }
        guard !daemon.store.isOverloaded else {
            let message = "more changes and questions wait for the disk than it can take; try again in a second"
            return refuse(InterfaceError.tooManyAttempts(message: message, retryAfterSeconds: 1), reply)
        }
        // Work that the client wants though it does not wait for it, and work that begins at another place, cannot be taken back.
        guard daemon.accounts.beginsInStore, !reply.isOneway else { return body() }
        let demand = StoreDemand()
        reply.onCancel { demand.withdraw() }
        StoreDemand.$current.withValue(demand, operation: body)
    }
}

extension Interface.Method {
    /// Its first effect is one of the accounts. The others answer out of memory, are bounded in another way, or must not be turned away.
    fileprivate var beginsWithAccounts: Bool {
        switch self {
        case .signInAnonymously, .createUser, .getCurrentUser, .updateUser, .unlinkProvider, .fetchProviders, .signOut, .deleteUser,
            .getUserToken, .enrollSecondFactor, .confirmSecondFactor, .removeSecondFactor, .startSecondFactor, .resolveSecondFactor:
            true
        case .listProviders, .signIn, .listSessions, .attachSession, .cancelSession, .deliverRedirect, .signInWithCredential,
            .listCredentials, .getAccessToken, .revokeCredential, .getStatus, .reload, .lock, .unlock, .monitor:
            false
        }
    }
}
