import NIOCore
import PosternInterface
import PosternStore

/// The store, or why there is none. Without it the daemon still says what is wrong, and changes nothing.
@DaemonActor
final class StoreAccess {
    /// A keyring is locked until its person unlocks it, a full disk until there is room: so often, at most, the store is tried anew
    /// for somebody who needs it.
    private static let pause = TimeAmount.seconds(5)

    private var result: Result<Store, StoreError>
    private var nextTry = NIODeadline.now() + pause
    /// Somebody needed the store in vain, and it is time to try to open it anew.
    var neededInVain: @DaemonActor () -> Void = {}

    init(_ result: Result<Store, StoreError>) { self.result = result }

    func opened() throws(StoreError) -> Store { try result.get() }

    /// For methods that answer out of memory and must not pretend that an unreadable store is an empty one.
    func check() throws(InterfaceError) {
        guard case .failure(let error) = result else { return }
        if NIODeadline.now() >= nextTry {
            nextTry = .now() + Self.pause
            neededInVain()
        }
        throw InterfaceError(error)
    }

    var isUnavailable: Bool { if case .failure = result { true } else { false } }

    /// What is in it cannot be read, so nothing is answered out of it.
    func failed(with error: StoreError) async {
        await close()
        result = .failure(error)
    }

    func replace(with opened: Result<Store, StoreError>) { result = opened }

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
