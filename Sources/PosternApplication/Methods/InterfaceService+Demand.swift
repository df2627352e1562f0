import PosternCore
import PosternInterface

/// What waits for the store is bounded, and what its client no longer waits for is dropped.
extension InterfaceService {
    /// Has the demand until the store has begun with the call; refuses the call where the store does not keep up.
    func withDemand<Value: Sendable>(
        _ body: @DaemonActor () async throws(InterfaceError) -> Value
    ) async throws(InterfaceError) -> Value {
        guard !daemon.store.isOverloaded else {
            let message = "more changes and questions wait for the disk than it can take; try again in a second"
            throw .tooManyAttempts(message: message, retryAfterSeconds: 1)
        }
        // Work that begins at another place cannot be taken back.
        guard daemon.accounts.beginsInStore else { return try await body() }
        let demand = StoreDemand()
        let result = await StoreDemand.$current.withValue(demand) {
            await withTaskCancellationHandler {
                do throws(InterfaceError) { return Result<Value, InterfaceError>.success(try await body()) } catch {
                    return .failure(error)
                }
            } onCancel: {
                demand.withdraw()
            }
        }
        return try result.get()
    }
}

extension Interface.Method {
    /// Its first effect is one of the accounts. The others answer out of memory, are bounded in another way, or must not be turned away.
    var beginsWithAccounts: Bool {
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
