import PosternCore
import PosternInterface

/// Limits the work that waits for the store, and drops what its client no longer waits for.
extension InterfaceService {
    /// As ``translating(app:_:)``, for methods whose first effect is on the accounts. The others are answered from memory, are limited in
    /// another way, or must not be refused.
    ///
    /// The work can be dropped until the store has begun with it; it is refused if the store is overloaded.
    func whileWanted<Value: Sendable>(
        app: String = "default", _ answer: @autoclosure @DaemonActor () async throws(AccountFailure) -> Value
    ) async throws(InterfaceError) -> Value {
        guard !daemon.store.isOverloaded else {
            let message = "too many changes and queries wait for the disk; try again in a second"
            throw .tooManyAttempts(message: message, retryAfterSeconds: 1)
        }
        // On a later turn: if a client calls and disconnects, the disconnection is noticed first.
        await Task.yield()
        guard !Task.isCancelled else { throw .callerHasGone }
        // A refusal may come with the end of the app's sign-in.
        defer { daemon.coordinator.ownersMayHaveEnded() }
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
