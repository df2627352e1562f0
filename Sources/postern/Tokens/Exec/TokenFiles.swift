import CProcess
import Glibc
import PosternClient
import Synchronization

/// A directory that only this user can enter, with a file for each token. It is removed at the end, also if this process is killed.
final class TokenFiles: Sendable {
    private let directory: String
    /// The process that removes the directory waits for the end of this one, or of the descriptor.
    private let end: Int32
    /// Nil once removed: a token that arrives later is not written.
    private let names: Mutex<Set<String>?>

    /// Call it before this process has a secret or a thread: it starts another one, with a copy of its memory, which outlives it.
    ///
    /// - Parameter runtimeDirectory: `$XDG_RUNTIME_DIR`, which is in memory and removed when the user logs out.
    init(runtimeDirectory: String?) throws(CommandFailure) {
        guard let parent = runtimeDirectory, parent.begins(with: "/") else {
            let problem = (runtimeDirectory ?? "").isEmpty ? "is not set" : "is not an absolute path"
            throw CommandFailure("there is no directory for the file: XDG_RUNTIME_DIR \(problem)", advice: "--env needs none")
        }
        // A signal must not end this process while there is a directory and nobody yet who would remove it.
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigprocmask(SIG_SETMASK, &all, &before)
        defer { sigprocmask(SIG_SETMASK, &before, nil) }
        directory = try PrivateDirectory.make("postern-exec", in: parent)
        var end: Int32 = -1
        let failure = postern_remove_at_end(directory, &end)
        guard failure == 0 else {
            rmdir(directory)
            throw CommandFailure("no process could be started: \(String(cString: strerror(failure)))")
        }
        self.end = end
        names = Mutex([])
    }

    func path(_ name: String) -> String { "\(directory)/\(name)" }

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
            for name in names ?? [] { unlink(path(name)) }
            if names != nil {
                rmdir(directory)
                close(end)
            }
            names = nil
        }
    }
}
