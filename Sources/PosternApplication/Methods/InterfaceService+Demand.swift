import PosternCore
import PosternInterface

/// What waits for the store is bounded, and what its client no longer waits for is dropped.
extension InterfaceService {
    /// As ``translating(app:_:)``, for methods whose first effect is one of the accounts. The others answer out of memory, are bounded in
    /// another way, or must not be turned away.
    ///
    /// The work has the demand until the store has begun with it; it is refused where the store does not keep up.
    func whileWanted<Value: Sendable>(
        app: String = "default", _ answer: @autoclosure @DaemonActor () async throws(AccountFailure) -> Value
    ) async throws(InterfaceError) -> Value {
        guard !daemon.store.isOverloaded else {
            let message = "too many changes and queries wait for the disk; try again in a second"
            throw .tooManyAttempts(message: message, retryAfterSeconds: 1)
        }
        // In its turn: a client that asks and goes is seen to have gone.
        await Task.yield()
        guard !Task.isCancelled else { throw .callerHasGone }
        // Work that begins elsewhere cannot be undone.
        guard daemon.accounts.beginsInStore else { return try await translating(app: app, await answer()) }
        let demand = StoreDemand()
        let result = await StoreDemand.$current.withValue(demand) {
            await withTaskCancellationHandler {
                do throws(AccountFailure) { return Result<Value, AccountFailure>.success(try await answer()) } catch {
                    return .failure(error)
                }
            } onCancel: {
                demand.withdraw()
            }
        }
        return try await translating(app: app, result.get())
    }
}
