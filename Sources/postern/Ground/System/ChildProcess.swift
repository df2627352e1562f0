import Glibc

/// A program that this command starts and ends.
///
/// It runs in its own process group: Ctrl-C reaches only this command, which then ends its children in order.
final class ChildProcess {
    let pid: pid_t
    /// The reading end of the child's standard output; its end means that the child has exited.
    let output: Int32
    /// The child's standard input. Its end tells the child that this command has exited, or has written everything. Nil once closed.
    private var input: Int32?
    /// The status of `waitpid`; nil while the child runs, and if it is lost.
    private(set) var status: Int32?
    private var hasEnded = false

    /// - Parameters:
    ///   - environment: complete; nothing is inherited.
    ///   - log: a descriptor for its standard error.
    init(path: String, arguments: [String], environment: [String: String], log: Int32) throws {
        let pipe = try PipeEnds(blocking: true)
        defer { close(pipe.writeEnd) }
        let inputPipe = try PipeEnds(blocking: true)
        defer { close(inputPipe.readEnd) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, inputPipe.readEnd, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, pipe.writeEnd, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, log, STDERR_FILENO)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

        var child: pid_t = 0
        let error = withCStrings([path] + arguments) { argv in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { posix_spawn(&child, path, &actions, &attributes, argv, $0) }
        }
        guard error == 0 else {
            close(pipe.readEnd)
            close(inputPipe.writeEnd)
            throw CommandFailure("\(path) could not be started: \(String(cString: strerror(error)))")
        }
        pid = child
        output = pipe.readEnd
        input = inputPipe.writeEnd
    }

    deinit {
        close(output)
        closeInput()
    }

    /// Writes the child's whole standard input and closes it. Call it before reading the output, so the bytes must fit in a pipe.
    ///
    /// - Returns: false if they do not fit, or if the child does not read them.
    func write(input bytes: [UInt8]) -> Bool {
        defer { closeInput() }
        guard let input, bytes.count <= Self.pipeCapacity else { return false }
        // If the child has exited, SIGPIPE must not end this command.
        let previous = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, previous) }
        return FileDescriptorWriter.writeAll(bytes, to: input)
    }

    /// In bytes, on Linux.
    private static let pipeCapacity = 65536

    private func closeInput() {
        if let input { close(input) }
        input = nil
    }

    /// Asks the child to exit, and kills it after five seconds. Returns when it has exited.
    func end() {
        guard !isGone() else { return }
        kill(pid, SIGTERM)
        let deadline = Deadline(milliseconds: 5000)
        while !isGone() {
            if deadline.remaining == 0 { kill(pid, SIGKILL) }
            // The end of a child cannot be polled without pidfd_open, which is not in Glibc's module.
            poll(nil, 0, 5)
        }
    }

    /// Whether it has exited; if so, reaps it.
    func isGone() -> Bool {
        guard !hasEnded else { return true }
        var status: Int32 = 0
        let reaped = waitpid(pid, &status, WNOHANG)
        guard reaped != 0 else { return false }
        if reaped == pid { self.status = status }
        hasEnded = true
        return true
    }

    /// Reads the child's standard output to its end, and then ends the child.
    ///
    /// - Returns: nil if it took too long or wrote too much.
    func collectOutput(timeout milliseconds: Int64, limit: Int = 64 * 1024) -> String? {
        let deadline = Deadline(milliseconds: milliseconds)
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        defer { end() }
        while deadline.wait(for: Int(POLLIN), on: [output])[0] {
            let count = read(output, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                // The exit status must be the child's own, not that of a signal that ends it.
                while !isGone(), deadline.remaining > 0 { poll(nil, 0, 2) }
                return String(decoding: all, as: UTF8.self)
            }
            all += bytes[..<count]
            if all.count > limit { return nil }
        }
        return nil
    }
}

/// Provides an array of C strings terminated by nil, as `exec` requires.
func withCStrings<Result>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let copies = texts.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies + [nil])
}
