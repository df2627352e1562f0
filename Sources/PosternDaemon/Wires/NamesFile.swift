import Glibc
import PosternApplication

/// The names that shells complete, in a file beside the store: reading it starts no daemon, and a connection would.
///
/// A line each, its kind first. No secret, and nothing of what is stored: what stands here stands in the configuration, or in the program.
/// The file is locked for as long as the daemon lives, which says so to whoever would ask it for more.
@DaemonActor
final class NamesFile {
    static let fileName = "names"

    private let directory: String
    /// Of the file that is there now; -1 before there is one.
    private var descriptor: Int32 = -1
    private var written = ""

    init(directory: String) { self.directory = directory }

    /// What goes wrong is nobody's loss: shells then complete less.
    func write(_ application: Application) {
        let names = application.names
        let text =
            names.providers.map { "\($0.isReady ? "provider" : "unready") \($0.name)\n" }.joined()
            + names.accounts.map { "account \($0)\n" }.joined()
        guard text != written, let fresh = replace(with: Array(text.utf8)) else { return }
        if descriptor >= 0 { close(descriptor) }
        descriptor = fresh
        written = text
    }

    /// - Returns: the new file, open and locked.
    private func replace(with bytes: [UInt8]) -> Int32? {
        let path = "\(directory)/\(Self.fileName)"
        guard !isAnothers(path) else { return nil }
        let fresh = path + ".new"
        unlink(fresh)
        // Under a name of its own until it is whole and locked.
        let descriptor = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count == bytes.count, flock(descriptor, LOCK_EX | LOCK_NB) == 0, rename(fresh, path) == 0 else {
            close(descriptor)
            unlink(fresh)
            return nil
        }
        return descriptor
    }

    /// Another daemon has the directory, and its file.
    private func isAnothers(_ path: String) -> Bool {
        guard descriptor < 0 else { return false }
        let found = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard found >= 0 else { return false }
        defer { close(found) }
        return flock(found, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }
}
