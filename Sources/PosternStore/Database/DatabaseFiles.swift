import Glibc
import PosternCore

/// The database's files in the state directory.
struct DatabaseFiles {
    static let fileName = "postern.db"

    let directory: StateDirectory
    let database: String
    /// Where a new database is created before it gets its name.
    let working: String

    init(_ directory: StateDirectory) {
        self.directory = directory
        database = directory.file(Self.fileName)
        working = "\(database).new"
    }

    /// True if there is no database, nor any sign that there was one.
    ///
    /// - Throws: ``StoreError/Kind/damaged`` if only its log exists: SQLite would discard the log.
    var isMissing: Bool {
        get throws(StoreError) {
            guard try OwnedFile.open(database, refusing: .refused, name: "the store") == nil else { return false }
            if let log = try OwnedFile.open("\(database)-wal", refusing: .refused, name: "the store's log"), try log.status().st_size > 0 {
                throw StoreError(
                    .damaged, file: database, reason: "the store is missing, but its log \(log.path) exists",
                    advice: "put the store back, or move the log away to start with a new store")
            }
            return true
        }
    }

    /// Refuses a file that others could have written, that is no store, or that has another schema, before SQLite touches it.
    func check() throws(StoreError) {
        // We do not read them, but SQLite would: a log that others wrote is as bad as a database that they wrote.
        for suffix in ["-wal", "-shm", "-journal"] {
            _ = try OwnedFile.open(database + suffix, refusing: .refused, name: "a file of the store")
        }
        guard let descriptor = try OwnedFile.open(database, refusing: .refused, name: "the store") else {
            throw StoreError(.cannotOpen, file: database, reason: "the store vanished while it was opened")
        }
        let bytes = try descriptor.read(atMost: DatabaseHeader.byteCount)
        guard !bytes.isEmpty else { throw StoreError(.damaged, file: database, reason: "the store is empty, which no store is") }
        guard let header = DatabaseHeader(bytes) else {
            throw StoreError(.damaged, file: database, reason: "the file does not begin as a database does")
        }
        try header.check(file: database)
    }
}
