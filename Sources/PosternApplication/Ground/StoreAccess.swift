import PosternCore
import PosternInterface

/// The store, or why there is none. Without it the daemon still reports what is wrong, and changes nothing.
@DaemonActor
public final class StoreAccess {
    fileprivate enum State {
        case open(any ApplicationStore)
        /// It is being locked: work under way is still written, and nothing new begins.
        case closing(any ApplicationStore, StoreError)
        case closed(StoreError)
    }

    private var state: State

    init(_ result: Result<any ApplicationStore, StoreError>) { state = State(result) }

    func opened() throws(StoreError) -> any ApplicationStore {
        switch state {
        case .open(let store), .closing(let store, _): return store
        case .closed(let error): throw error
        }
    }

    /// For what answers from memory and must not present an unreadable store as an empty one.
    func require() throws(InterfaceError) {
        if let problem { throw InterfaceError(problem) }
    }

    public var isUnavailable: Bool { problem != nil }

    /// Nothing can be read or written, not even by work under way.
    var isClosed: Bool { if case .closed = state { true } else { false } }

    /// More work waits for the store than it does within about a second.
    var isOverloaded: Bool { (try? opened())?.isOverloaded ?? false }

    /// It is locked, and stays locked until somebody unlocks it.
    public var waitsForPerson: Bool { problem?.waitsForPerson ?? false }

    /// If the daemon exited when idle and started again, the store would be in another state: an unlocked one locked, or a locked one open.
    var isLostByGoing: Bool {
        switch state {
        case .open(let store): store.isOpenedByPassphrase
        case .closing: true
        case .closed(let error): error.kind == .sealedOff
        }
    }

    /// Why nothing new begins; nil if the store is open.
    var problem: StoreError? {
        switch state {
        case .open: nil
        case .closing(_, let error), .closed(let error): error
        }
    }

    /// Its contents cannot be read, so nothing is answered from it.
    func failed(with error: StoreError) async {
        await close()
        state = .closed(error)
    }

    func replace(with opened: Result<any ApplicationStore, StoreError>) { state = State(opened) }

    func close() async {
        if let store = try? opened() { await store.close() }
    }

    // MARK: Locking

    /// From now on nothing new begins.
    ///
    /// - Returns: false if it is not open.
    func beginLocking(_ error: (any ApplicationStore) -> StoreError) -> Bool {
        guard case .open(let store) = state else { return false }
        state = .closing(store, error(store))
        return true
    }

    /// Releases the store and its key. What was requested before is still written.
    func finishLocking() async {
        guard case .closing(let store, let error) = state else { return }
        state = .closed(error)
        await store.close()
    }
}

extension StoreAccess.State {
    fileprivate init(_ result: Result<any ApplicationStore, StoreError>) {
        switch result {
        case .success(let store): self = .open(store)
        case .failure(let error): self = .closed(error)
        }
    }
}

extension StoreError {
    /// Trying again would not open it: somebody has to unlock it.
    public var waitsForPerson: Bool {
        switch kind {
        case .sealedOff, .passphraseNeeded, .weakPassphrase, .wrongPassphrase: true
        default: false
        }
    }

    /// Nothing is wrong with the store, but it is not available: its key is missing, or another daemon uses it.
    var isLock: Bool {
        switch kind {
        case .keyMissing, .keyUnavailable, .keyRefused, .wrongKey, .passphraseNeeded, .wrongPassphrase, .weakPassphrase,
            .passphraseUnwanted, .sealedOff, .noThread, .locked,
            // It was locked while the query was on its way there.
            .closed:
            true
        case .cannotOpen, .refused, .damaged, .damagedRow, .newerSchema, .olderSchema, .full, .busy, .io, .readOnly, .outOfMemory,
            .conflict, .sessionOver, .withdrawn, .internal:
            false
        }
    }
}
