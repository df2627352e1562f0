import PosternCore
import PosternInterface

/// What is told of changes to the apps' sign-ins.
@DaemonActor
protocol AppObserver: AnyObject, Sendable {
    /// A sign-in of an app may be over, or its user's ways in may have changed.
    func ownersMayHaveEnded()
    func userDeleted(_ user: User)
}

/// Asks the accounts for programs: limits the work that waits for the store, and drops what its client no longer waits for.
@DaemonActor
final class AccountDemand {
    let accounts: any AccountAuthority
    let store: StoreAccess
    let providers: ProviderDirectory
    let observer: any AppObserver

    init(
        accounts: any AccountAuthority, store: StoreAccess, providers: ProviderDirectory, observer: any AppObserver
    ) {
        self.accounts = accounts
        self.store = store
        self.providers = providers
        self.observer = observer
    }

    /// As ``translating(app:_:)``, for methods whose first effect is on the accounts. The others are answered from memory, are limited in
    /// another way, or must not be refused.
    ///
    /// The work can be dropped until the store has begun with it; it is refused if the store is overloaded.
    func whileWanted<Value: Sendable>(
        app: AppName = "default", _ answer: @autoclosure @DaemonActor () async throws(AccountFailure) -> Value
    ) async throws(InterfaceError) -> Value {
        guard !store.isOverloaded else {
            let message = "too many changes and queries wait for the disk; try again in a second"
            throw .tooManyAttempts(message: message, retryAfterSeconds: 1)
        }
        // On a later turn: if a client calls and disconnects, the disconnection is noticed first.
        await Task.yield()
        guard !Task.isCancelled else { throw .callerHasGone }
        // A refusal may come with the end of the app's sign-in.
        defer { observer.ownersMayHaveEnded() }
        // Work that begins elsewhere cannot be undone.
        guard accounts.beginsInStore else { return try await translating(app: app, await answer()) }
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

    /// Returns what the accounts answer; their failures become errors of the interface.
    ///
    /// - Parameter app: the app that a refusal mentions.
    func translating<Value: Sendable>(
        app: AppName = "default", _ answer: @autoclosure @DaemonActor () async throws(AccountFailure) -> Value
    ) async throws(InterfaceError) -> Value {
        do throws(AccountFailure) { return try await answer() } catch {
            throw await accounts.interfaceError(for: error, app: app, providers: providers)
        }
    }
}
