import Glibc
import PosternClient
import Synchronization

/// A directory with a file for each token.
final class TokenFiles: Sendable {
    private let directory: CommandDirectory
    /// Nil once removed: a token that arrives later is not written.
    private let names: Mutex<Set<String>?>

    /// Call it before this process has a secret or a thread.
    init(runtimeDirectory: String?) throws(CommandFailure) {
        directory = try CommandDirectory("postern-exec", in: runtimeDirectory, for: "the file", advice: "--env needs none")
        names = Mutex([])
    }

    func path(_ name: String) -> String { "\(directory.path)/\(name)" }

    /// Writes the token atomically: a reader gets the old one or the new one. No line feed follows it, since some programs send the file as
    /// it is.
    func write(_ token: String, to name: String) throws(CommandFailure) {
        let failure = names.withLock { names -> Int32 in
            guard names != nil else { return 0 }
            names?.insert(name)
            return replace(name, Array(token.utf8))
        }
        guard failure == 0 else {
            throw CommandFailure("\(path(name)) could not be written: \(String(cString: strerror(failure)))".plain)
        }
    }

    /// - Returns: 0, or an errno.
    private func replace(_ name: String, _ bytes: [UInt8]) -> Int32 {
        // No variable's name contains a dot.
        let draft = path("\(name).new")
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return errno }
        let isWritten = FileDescriptorWriter.writeAll(bytes, to: descriptor)
        let failure = errno
        close(descriptor)
        guard isWritten, rename(draft, path(name)) == 0 else {
            let failure = isWritten ? errno : failure
            unlink(draft)
            return failure
        }
        return 0
    }

    /// May be called again.
    func remove() {
        names.withLock { names in
            if let names { directory.remove(names) }
            names = nil
        }
    }
}
