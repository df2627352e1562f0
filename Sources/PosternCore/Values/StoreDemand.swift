import Synchronization

/// A client's request for work whose first effect is in the store: until the store has begun, it can be withdrawn.
///
/// Work that has begun is finished, because half of a change is worse than all of it. Work that is only queued when its client disconnects
/// is dropped, so that clients that ask and leave do not delay those that stay. Work with an effect before the store's, for example at a
/// provider, has begun there and must have no demand.
public final class StoreDemand: Sendable {
    /// The demand of the task that calls the store. Tasks started in it inherit it.
    @TaskLocal public static var current: StoreDemand?

    private enum State: UInt8, AtomicRepresentable {
        case waiting, begun, withdrawn
    }

    private let state = Atomic(State.waiting)

    public init() {}

    /// The client has disconnected. The store's next method fails with ``StoreError/Kind/withdrawn``, unless it has begun; then this has no
    /// effect. May be called from any thread.
    public func withdraw() {
        _ = state.compareExchange(expected: .waiting, desired: .withdrawn, ordering: .relaxed)
    }

    /// For the store, before it begins anything.
    ///
    /// - Returns: false if the demand was withdrawn before.
    public func begin() -> Bool {
        state.compareExchange(expected: .waiting, desired: .begun, ordering: .relaxed).original != .withdrawn
    }
}
