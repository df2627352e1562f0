import Synchronization

/// A client's wish, for work whose first effect is in the store: as long as the store has not begun with it, it can be withdrawn.
///
/// What has begun is finished, as half of a change is worse than all of it. What only waits for its turn when its client goes is dropped,
/// so that clients who ask and go do not hold up those who stay. Work that does something elsewhere before it comes to the store, at a
/// provider for one, has begun there and must have no demand.
public final class StoreDemand: Sendable {
    /// That of the task that asks the store. Tasks that are begun inherit it.
    @TaskLocal public static var current: StoreDemand?

    private enum State: UInt8, AtomicRepresentable {
        case waiting, begun, withdrawn
    }

    private let state = Atomic(State.waiting)

    public init() {}

    /// The client has gone. The store's next method fails with ``StoreError/Kind/withdrawn``, unless it has begun; once begun this has no
    /// effect. May be called from any thread.
    public func withdraw() {
        _ = state.compareExchange(expected: .waiting, desired: .withdrawn, ordering: .relaxed)
    }

    /// For the store, before it begins with anything.
    ///
    /// - Returns: false if it was withdrawn before.
    public func begin() -> Bool {
        state.compareExchange(expected: .waiting, desired: .begun, ordering: .relaxed).original != .withdrawn
    }
}
