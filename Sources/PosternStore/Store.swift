import PosternCore

/// Sessions, users and credentials on disk: what outlives the daemon.
///
/// Everything that was answered is on disk before the answer (`synchronous=FULL`). Secrets and personal data are sealed.
/// The store works on its own thread; none of its methods uses Swift Concurrency's default executor.
///
/// Every method throws ``StoreError``. After an error nothing has changed, and the store remains usable: a full disk is an error until
/// there is room again, and a row that cannot be decrypted is an error for the caller that needs it.
public actor Store {
    private nonisolated let executor: any SerialExecutor
    /// Nil if the executor runs elsewhere.
    private nonisolated let thread: StoreThread?
    private var opened: OpenedStore?
    private nonisolated let file: String
    /// Set if a passphrase unwraps the key.
    private nonisolated let wrapping: KeyWrapping?

    /// Its key is known only to a user and in memory to this process: after a restart the store does not open by itself.
    public nonisolated var isOpenedByPassphrase: Bool { wrapping != nil }

    /// Opens the store in the directory, or creates it if there is none; blocks meanwhile.
    ///
    /// - Parameters:
    ///   - directory: the state directory; created, 0700, if it is missing.
    ///   - key: provides the key of the store, or a new one if the store has to be created.
    ///   - isSuspect: it was found to be damaged before, so the whole file is checked first. Otherwise a large one is checked by the first
    ///     method that changes it, or by ``tidy(now:)``.
    /// - Throws: ``StoreError``. Nothing that exists was overwritten then.
    public static func open(directory: String, key: any KeyProvider, isSuspect: Bool = false) throws(StoreError) -> Store {
        let opened = try OpenedStore(directory: directory, key: key, isSuspect: isSuspect)
        let thread = try StoreThread(file: opened.file)
        return Store(opened, executor: thread, thread: thread)
    }

    /// As ``open(directory:key:)``, with its work done by a given executor: for tests that control every step.
    package static func open(
        directory: String, key: any KeyProvider, isSuspect: Bool = false, on executor: any SerialExecutor
    ) throws(StoreError) -> Store {
        Store(try OpenedStore(directory: directory, key: key, isSuspect: isSuspect), executor: executor, thread: nil)
    }

    /// Where the store in the directory has its key; nil if there is no store. Needs no key, and changes nothing.
    ///
    /// - Throws: ``StoreError/Kind/locked`` if a daemon uses the directory.
    public static func keySource(in directory: String) throws(StoreError) -> KeySource? {
        try OpenedStore.keySource(in: directory)
    }

    private init(_ opened: sending OpenedStore, executor: any SerialExecutor, thread: StoreThread?) {
        file = opened.file
        wrapping = if case .passphrase(let wrapping) = opened.keySource { wrapping } else { nil }
        self.opened = opened
        self.executor = executor
        self.thread = thread
    }

    deinit { thread?.stop() }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Returns if the passphrase is the one that the store was created with. The store may be open or closed, and stays so.
    ///
    /// Takes as long as opening it (some tenths of a second and 128 MiB), on the caller's thread.
    ///
    /// - Throws: ``StoreError/Kind/wrongPassphrase``, or ``StoreError/Kind/passphraseUnwanted`` if it was created without one.
    public nonisolated func check(passphrase: Secret) throws(StoreError) {
        guard let wrapping else { throw .passphraseUnwanted(in: file) }
        _ = try wrapping.key(for: passphrase, in: file)
    }

    /// More work waits than a disk writes within about a second: new callers are better refused than kept waiting.
    public nonisolated var isOverloaded: Bool { thread.map { $0.waitingCount >= Self.mostWaiting } ?? false }

    /// How many pieces of work may wait before clients are refused.
    public static let mostWaiting = 128

    /// Writes what is in the log back into the file and releases the directory; every later call fails with `closed`.
    public func close() { opened = nil }

    /// The tables, for the methods in extensions.
    var tables: OpenedStore {
        get throws(StoreError) {
            guard let opened else {
                throw StoreError(.closed, file: DatabaseFiles.fileName, reason: "the store was closed")
            }
            guard StoreDemand.current?.begin() ?? true else {
                throw StoreError(.withdrawn, file: opened.file, reason: "the caller disconnected before the answer")
            }
            return opened
        }
    }

    /// Changes the tables in one transaction.
    func transaction<Value>(
        _ durability: Durability = .full, _ body: (OpenedStore) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let tables = try tables
        return try tables.connection.transaction(durability) { () throws(StoreError) in try body(tables) }
    }

    /// As ``transaction(_:_:)``, for a decision about accounts: if it throws, its error is rethrown, with nothing changed.
    func decision<Value>(_ body: (OpenedStore) throws(AccountFailure) -> Value) throws(AccountFailure) -> Value {
        let tables = try AccountFailure.wrapping(store: tables)
        return try tables.connection.transaction(failure: AccountFailure.store) { () throws(AccountFailure) in try body(tables) }
    }
}
