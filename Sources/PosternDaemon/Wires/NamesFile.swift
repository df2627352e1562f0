import Glibc
import PosternApplication

/// The names that shells complete, in a file beside the store: reading it does not start the daemon, which a connection would.
///
/// One line for each, beginning with its kind. It contains no secret and nothing from the store, only names that are in the configuration
/// or in the program. The file is locked as long as the daemon lives, which shows whether it can be asked for more.
@DaemonActor
final class NamesFile {
    static let fileName = "names"

    private let directory: String
    /// Of the current file; -1 before there is one.
    private var descriptor: Int32 = -1
    private var written = ""

    init(directory: String) { self.directory = directory }

    /// Errors do no harm: shells then complete less.
    func write(_ application: Application) {
        let names = application.names
        let text =
            names.providers.map { "\($0.isReady ? "provider" : "unready") \($0.name)\n" }.joined()
            + names.accounts.map { "account \($0)\n" }.joined()
        guard text != written else { return }
        let bytes = Array(text.utf8)
        guard let fresh = descriptor < 0 ? take(with: bytes) : replace(with: bytes) else { return }
        if descriptor >= 0 { close(descriptor) }
        descriptor = fresh
        written = text
    }

    private var path: String { "\(directory)/\(Self.fileName)" }

    /// - Returns: the file, open and locked; nil if another daemon has the directory and its file.
    private func take(with bytes: [UInt8]) -> Int32? {
        let found = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard found >= 0 else { return replace(with: bytes) }
        if flock(found, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK {
            close(found)
            return nil
        }
        // Usually it is as an earlier run left it; and replacing a file may have to wait for the disk.
        if isOurs(found, with: bytes), flock(found, LOCK_EX | LOCK_NB) == 0 { return found }
        close(found)
        return replace(with: bytes)
    }

    private func isOurs(_ descriptor: Int32, with bytes: [UInt8]) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode == S_IFREG | 0o600, status.st_uid == geteuid(), status.st_size == bytes.count
        else { return false }
        var held = [UInt8](repeating: 0, count: bytes.count)
        return held.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) } == bytes.count && held == bytes
    }

    /// - Returns: the new file, open and locked.
    private func replace(with bytes: [UInt8]) -> Int32? {
        let fresh = path + ".new"
        unlink(fresh)
        // Under a different name until it is complete and locked.
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
}
