import Glibc
import PosternCore

/// Creates a new store.
struct DatabaseMaker {
    let files: DatabaseFiles
    let lock: DirectoryLock

    /// The database appears under its name complete and durable, or not at all.
    func make(with provider: any KeyProvider) throws(StoreError) {
        // What an earlier run had begun when it was stopped.
        for suffix in ["", "-journal", "-wal", "-shm"] { try OwnedFile.remove(files.working + suffix) }
        let key = try provider.makeKey(in: files.directory.path)
        try OwnedFile.write([], to: files.working)
        try fill(with: key)
        guard rename(files.working, files.database) == 0 else {
            throw .system(errno, file: files.database, action: "the new store cannot be renamed into place")
        }
        try StateDirectory.synchronize(files.directory.path)
    }

    /// With a rollback journal, not a log: when the connection is closed, everything is in the one file that is renamed.
    private func fill(with key: SourcedKey) throws(StoreError) {
        let connection = try Connection(opening: files.working, lock: lock)
        try connection.configure()
        try Schema.make(in: connection, sealedWith: key)
    }
}

extension Schema {
    /// Writes the whole schema and the record of the store's key, in one transaction.
    static func make(in connection: Connection, sealedWith key: SourcedKey) throws(StoreError) {
        try connection.transaction { () throws(StoreError) in
            try connection.execute(script)
            // A pragma accepts no bound values; the number is ours. The pragma is part of the transaction, because the header is.
            try connection.execute("PRAGMA user_version = \(version)")
            try KeyCheck.write(key.source, sealer: Sealer(key: key.key, file: connection.file), to: connection)
            try connection.execute("PRAGMA application_id = \(applicationID)")
        }
    }
}
