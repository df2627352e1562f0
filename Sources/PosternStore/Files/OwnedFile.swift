import Glibc
import PosternCore

/// A file of the state directory that only we may access: regular, 0600 or less, and owned by the daemon's user.
enum OwnedFile {
    /// Opens it for reading; nil if there is none.
    ///
    /// - Parameters:
    ///   - kind: the kind of error for a file that cannot be trusted.
    ///   - name: as in "the key file".
    static func open(_ path: String, refusing kind: StoreError.Kind, name: String) throws(StoreError) -> FileDescriptor? {
        var entry = stat()
        guard lstat(path, &entry) == 0 else {
            guard errno != ENOENT else { return nil }
            throw .system(errno, file: path, action: "cannot be examined")
        }
        // Checked before it is opened: opening a device or a pipe may already have effects.
        guard entry.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(kind, file: path, reason: "\(name) is not a regular file", advice: "put the file itself there")
        }
        // Also checked before, since another user's file cannot be opened.
        try checkOwner(entry, of: path, refusing: kind, name: name)
        let descriptor = try FileDescriptor(opening: path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        let status = try descriptor.status()
        try checkOwner(status, of: path, refusing: kind, name: name)
        guard status.st_mode & 0o077 == 0 else {
            throw StoreError(kind, file: path, reason: "others can read or change \(name)", advice: "run: chmod 600 '\(path)'")
        }
        return descriptor
    }

    private static func checkOwner(_ status: stat, of path: String, refusing kind: StoreError.Kind, name: String) throws(StoreError) {
        guard status.st_uid != geteuid() else { return }
        throw StoreError(
            kind, file: path, reason: "\(name) belongs to user \(status.st_uid), not to user \(geteuid())",
            advice: "start the daemon as its owner, or change the owner")
    }

    /// Creates a file that does not exist, for its owner only whatever the umask is.
    static func create(_ path: String) throws(StoreError) -> FileDescriptor {
        let descriptor = try FileDescriptor(opening: path, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        try descriptor.setMode(0o600)
        return descriptor
    }

    /// Writes a file durably, in place of what an earlier run left unfinished.
    static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
        try remove(path)
        let descriptor = try create(path)
        try descriptor.write(bytes)
        try descriptor.synchronize()
    }

    /// Removes what an earlier run left unfinished; it is no error if there is nothing.
    static func remove(_ path: String) throws(StoreError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .system(errno, file: path, action: "cannot be removed") }
    }
}
