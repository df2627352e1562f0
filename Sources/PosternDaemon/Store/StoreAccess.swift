import NIOCore
import PosternInterface
import PosternStore

/// The store, or why there is none. Without it the daemon still says what is wrong, and changes nothing.
@DaemonActor
final class StoreAccess {
    /// A keyring is locked until its person unlocks it, a full disk until there is room: so often, at most, the store is tried anew
    /// for somebody who needs it.
    private static let pause = TimeAmount.seconds(5)

    fileprivate enum Standing {
        case open(Store)
        /// It is being locked: what was begun is still written, and nothing new begins.
        case closing(Store, StoreError)
        case closed(StoreError)
    }

    private var standing: Standing
    private var nextTry = NIODeadline.now() + pause
    /// Somebody needed the store in vain, and it is time to try to open it anew.
    var neededInVain: @DaemonActor () -> Void = {}

    init(_ result: Result<Store, StoreError>) { standing = Standing(result) }

    func opened() throws(StoreError) -> Store {
        switch standing {
        case .open(let store), .closing(let store, _): return store
        case .closed(let error): throw error
        }
    }

    /// For methods that answer out of memory and must not pretend that an unreadable store is an empty one.
    func check() throws(InterfaceError) {
        guard let problem else { return }
        if !problem.waitsForPerson, NIODeadline.now() >= nextTry {
            nextTry = .now() + Self.pause
            neededInVain()
        }
        throw InterfaceError(problem)
    }

    var isUnavailable: Bool { problem != nil }

    /// It is locked, and stays so until somebody unlocks it.
    var waitsForPerson: Bool { problem?.waitsForPerson ?? false }

    /// A daemon that goes for want of anything to do, and comes back, would have another store than it left: an unlocked one locked, or
    /// a locked one open.
    var isLostByGoing: Bool {
        switch standing {
        case .open(let store): store.isOpenedByPassphrase
        case .closing: true
        case .closed(let error): error.kind == .sealedOff
        }
    }

    private var problem: StoreError? {
        switch standing {
        case .open: nil
        case .closing(_, let error), .closed(let error): error
        }
    }

    /// What is in it cannot be read, so nothing is answered out of it.
    func failed(with error: StoreError) async {
        await close()
        standing = .closed(error)
    }

    func replace(with opened: Result<Store, StoreError>) { standing = Standing(opened) }

    func close() async {
        if let store = try? opened() { await store.close() }
    }

    // MARK: Locking

    /// From now on nothing new begins.
    ///
    /// - Returns: false where it is not open.
    func beginLocking(_ error: @DaemonActor (Store) -> StoreError) -> Bool {
        guard case .open(let store) = standing else { return false }
        standing = .closing(store, error(store))
        return true
    }

    /// Lets go of the store and its key.
    func finishLocking() async {
        guard case .closing(let store, let error) = standing else { return }
        await store.close()
        standing = .closed(error)
    }
}

extension StoreAccess.Standing {
    fileprivate init(_ result: Result<Store, StoreError>) {
        switch result {
        case .success(let store): self = .open(store)
        case .failure(let error): self = .closed(error)
        }
    }
}

extension StoreError {
    /// Trying again would not open it: somebody has to unlock it.
    var waitsForPerson: Bool {
        switch kind {
        case .sealedOff, .passphraseNeeded, .weakPassphrase, .wrongPassphrase: true
        default: false
        }
    }
}

extension InterfaceError {
    init(_ error: StoreError) {
        switch error.kind {
        case .keyMissing, .keyUnavailable, .keyRefused, .wrongKey, .passphraseNeeded, .wrongPassphrase, .weakPassphrase,
            .passphraseUnwanted, .sealedOff, .noThread,
            // It was locked while the question was on its way there.
            .closed:
            self = .storeLocked(message: error.description)
        default: self = .storeDamaged(message: error.description)
        }
    }
}
