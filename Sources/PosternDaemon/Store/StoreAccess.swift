import PosternInterface
import PosternStore

/// The store, or why there is none. Without it the daemon still says what is wrong, and changes nothing.
@DaemonActor
final class StoreAccess {
    private var result: Result<Store, StoreError>

    init(_ result: Result<Store, StoreError>) { self.result = result }

    func opened() throws(StoreError) -> Store { try result.get() }

    /// For methods that answer out of memory and must not pretend that an unreadable store is an empty one.
    func check() throws(InterfaceError) {
        if case .failure(let error) = result { throw InterfaceError(error) }
    }

    var isUnavailable: Bool { if case .failure = result { true } else { false } }

    func close() async {
        if case .success(let store) = result { await store.close() }
    }
}

extension InterfaceError {
    init(_ error: StoreError) {
        switch error.kind {
        case .keyMissing, .keyUnavailable, .keyRefused, .wrongKey: self = .storeLocked(message: error.description)
        default: self = .storeDamaged(message: error.description)
        }
    }
}
