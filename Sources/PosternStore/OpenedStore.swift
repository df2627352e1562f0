import Glibc
import PosternCore
import PosternCrypto

/// An open database, its key, and its tables. When freed, it closes the database and releases the directory.
final class OpenedStore {
    let connection: Connection
    let sealer: Sealer
    let keySource: KeySource

    var file: String { connection.file }
    var users: UserTable { UserTable(connection: connection, sealer: sealer) }
    var credentials: CredentialTable { CredentialTable(connection: connection, sealer: sealer) }
    var sessions: SessionTable { SessionTable(connection: connection, sealer: sealer) }
    var handles: HandleTable { HandleTable(connection: connection, sealer: sealer) }
    var passwords: PasswordTable { PasswordTable(connection: connection, sealer: sealer) }
    var secondFactors: SecondFactorTable { SecondFactorTable(connection: connection, sealer: sealer) }
    var challenges: ChallengeTable { ChallengeTable(connection: connection, sealer: sealer) }
    var attempts: AttemptTable { AttemptTable(connection: connection, sealer: sealer) }
    var firebaseSessions: FirebaseSessionTable { FirebaseSessionTable(connection: connection, sealer: sealer) }
    var settings: SettingTable { SettingTable(connection: connection, sealer: sealer) }

    /// Opens the existing store, or creates it.
    ///
    /// The order of the steps survives a crash at any moment: the key is durable before a database that needs it appears, and a complete
    /// database appears under its name, by a rename. So an existing file that is empty was damaged, and is not mistaken for one that has
    /// yet to be created.
    ///
    /// - Parameter isSuspect: it was found to be damaged before, so the whole file is checked first, whatever its size.
    init(directory path: String, key: any KeyProvider, isSuspect: Bool = false) throws(StoreError) {
        let directory = try StateDirectory(preparing: path)
        let lock = try DirectoryLock(directory)
        let files = DatabaseFiles(directory)
        if try files.isMissing {
            try DatabaseMaker(files: files, lock: lock).make(with: key)
        }
        try files.check()

        connection = try Connection(opening: files.database, lock: lock)
        try connection.configure()
        (sealer, keySource) = try Self.unlock(connection, directory: directory, key: key, isSuspect: isSuspect)
        try connection.switchToWriteAheadLog()
        // The store names its item, or has its key elsewhere.
        PendingKeyringItem(in: directory.path).remove()
        try connection.accept()
    }

    /// Where the store in the directory has its key; nil if there is no store. Nothing is created, and no key is needed.
    static func keySource(in path: String) throws(StoreError) -> KeySource? {
        guard access(path, F_OK) == 0 else { return nil }
        let directory = try StateDirectory(preparing: path)
        let lock = try DirectoryLock(directory)
        let files = DatabaseFiles(directory)
        guard try !files.isMissing else { return PendingKeyringItem(in: directory.path).item.map { .secretService($0) } }
        try files.check()
        let connection = try Connection(opening: files.database, lock: lock)
        try connection.configure()
        return try KeyCheck.source(in: connection)
    }

    /// All checks that can refuse the file, before anything in it is changed.
    private static func unlock(
        _ connection: Connection, directory: StateDirectory, key: any KeyProvider, isSuspect: Bool
    ) throws(StoreError) -> (Sealer, KeySource) {
        // Read again, though the header was checked: the log may contain a later one.
        let header = DatabaseHeader(
            userVersion: try Schema.version(of: connection), applicationID: try connection.pragma("application_id"))
        try header.check(file: connection.file)
        let isLookedAtNow = isSuspect ? true : try connection.isSmall
        if isLookedAtNow { try connection.requireWhole() }
        guard header.userVersion > 0 else {
            // A valid database without a schema contains nothing that could be lost.
            guard try connection.isEmpty else {
                throw StoreError(.damaged, file: connection.file, reason: "this is another program's database")
            }
            let key = try key.makeKey(in: directory.path)
            try Schema.make(in: connection, sealedWith: key)
            return (Sealer(key: key.key, file: connection.file), key.source)
        }
        let source = try KeyCheck.source(in: connection)
        let keys = try key.keys(from: source, in: directory.path)
        return (try KeyCheck.sealer(among: keys, from: source, in: connection), source)
    }
}
