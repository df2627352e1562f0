import CProcess
import Glibc

/// A directory that only this user can enter. It is removed at the end, also if this process is killed.
struct CommandDirectory: Sendable {
    let path: String
    /// The process that removes the directory waits for the end of this one, or of the descriptor.
    private let end: Int32

    /// Call it before this process has a secret or a thread: it starts another one, with a copy of its memory, which outlives it.
    ///
    /// - Parameters:
    ///   - name: how its name begins.
    ///   - runtimeDirectory: `$XDG_RUNTIME_DIR`, which is in memory and removed when the user logs out.
    ///   - purpose: what is in it, for messages: `the file`.
    ///   - advice: what does without it.
    init(_ name: String, in runtimeDirectory: String?, for purpose: String, advice: String? = nil) throws(CommandFailure) {
        guard let parent = runtimeDirectory, parent.begins(with: "/") else {
            let problem = (runtimeDirectory ?? "").isEmpty ? "is not set" : "is not an absolute path"
            throw CommandFailure("there is no directory for \(purpose): XDG_RUNTIME_DIR \(problem)", advice: advice)
        }
        // A signal must not end this process while there is a directory and nobody yet who would remove it.
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigprocmask(SIG_SETMASK, &all, &before)
        defer { sigprocmask(SIG_SETMASK, &before, nil) }
        path = try PrivateDirectory.make(name, in: parent)
        var end: Int32 = -1
        let failure = postern_remove_at_end(path, &end)
        guard failure == 0 else {
            rmdir(path)
            throw CommandFailure("no process could be started: \(String(cString: strerror(failure)))")
        }
        self.end = end
    }

    /// Call it once.
    func remove(_ names: some Sequence<String>) {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
        close(end)
    }
}
