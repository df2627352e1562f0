import PosternCore

/// Sessions, users and credentials on disk: what survives the daemon.
///
/// Everything that was answered is on disk before the answer (`synchronous=FULL`). Secrets and personal data are sealed.
/// The store works on its own thread; none of its methods uses Swift Concurrency's default executor.
///
/// Every method throws ``StoreError``. After an error nothing of the change is there, and the store can be used on: a
/// full disk is an error until there is room again, and a row that does not open is an error for a caller that asks for it.
public actor Store {
    private nonisolated let executor: any SerialExecutor
    /// Nil if somebody else runs the executor.
    private nonisolated let thread: StoreThread?
    private var opened: OpenedStore?
    private nonisolated let file: String
    /// Where its key is one that a passphrase unwraps.
    private nonisolated let wrapping: KeyWrapping?

    /// Its key is in nobody's memory but a user's, and this process's: it does not come back by itself.
    public nonisolated var isOpenedByPassphrase: Bool { wrapping != nil }

    /// Opens the store in the directory, or makes it if there is none; blocks while it does.
    ///
    /// - Parameters:
    ///   - directory: the state directory; made, 0700, if it is missing.
    ///   - key: asked for the key of the store, or for a new one where the store has to be made.
    ///   - isSuspect: it was found to be damaged before, so the whole file is checked first. Otherwise a large one is checked by the first
    ///     method that changes it, or by ``tidy(now:)``.
    /// - Throws: ``StoreError``. Nothing that exists was overwritten then.
    public static func open(directory: String, key: any KeyProvider, isSuspect: Bool = false) throws(StoreError) -> Store {
        try open(directory: directory, key: key, isSuspect: isSuspect, migrations: Migration.all)
    }

    static func open(
        directory: String, key: any KeyProvider, isSuspect: Bool = false, migrations: [Migration]
    ) throws(StoreError) -> Store {
        let opened = try OpenedStore(directory: directory, key: key, isSuspect: isSuspect, migrations: migrations)
        let thread = try StoreThread(file: opened.file)
        return Store(opened, executor: thread, thread: thread)
    }

    /// As ``open(directory:key:)``, with its work done by an executor that is given: for tests that decide about every step.
    package static func open(
        directory: String, key: any KeyProvider, isSuspect: Bool = false, on executor: any SerialExecutor
    ) throws(StoreError) -> Store {
        Store(
            try OpenedStore(directory: directory, key: key, isSuspect: isSuspect, migrations: Migration.all), executor: executor,
            thread: nil)
    }

    /// Where the store in the directory has its key; nil if there is no store. Asks for no key, and changes nothing.
    ///
    /// - Throws: ``StoreError/Kind/locked`` if a daemon uses the directory.
    public static func keySource(in directory: String) throws(StoreError) -> KeySource? {
        try OpenedStore.keySource(in: directory, migrations: Migration.all)
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

    /// Returns where the passphrase is the one that the store was made with; open or closed, it stays as it is.
    ///
    /// Takes as long as opening it (some tenths of a second and 128 MiB), on the thread of the caller.
    ///
    /// - Throws: ``StoreError/Kind/wrongPassphrase``, or ``StoreError/Kind/passphraseUnwanted`` if it was made with none.
    public nonisolated func check(passphrase: Secret) throws(StoreError) {
        guard let wrapping else { throw .passphraseUnwanted(in: file) }
        _ = try wrapping.key(for: passphrase, in: file)
    }

    /// More waits for its turn than a disk writes within about a second: a client that comes now is better told so than kept waiting.
    public nonisolated var isOverloaded: Bool { thread.map { $0.waitingCount >= Self.mostWaiting } ?? false }

    /// Pieces of work that may wait before clients are turned away.
    public static let mostWaiting = 128

    /// Writes what is in the log back into the file and releases the directory; every later call fails with `closed`.
    public func close() { opened = nil }

    /// The tables, for the methods in extensions.
    var tables: OpenedStore {
        get throws(StoreError) {
            guard let opened else {
                throw StoreError(.closed, file: OpenedStore.fileName, reason: "the store was closed")
            }
            guard StoreDemand.current?.begin() ?? true else {
                throw StoreError(.withdrawn, file: opened.file, reason: "the caller disconnected before the answer")
            }
            return opened
        }
    }
}
