import Glibc
import PosternConfiguration

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
    ///   - log: a descriptor for its standard error; nil discards it.
    init(path: String, arguments: [String], environment: [String: String], log: Int32? = STDERR_FILENO) throws {
        let pipe = try PipeEnds(blocking: true)
        defer { close(pipe.writeEnd) }
        let inputPipe = try PipeEnds(blocking: true)
        defer { close(inputPipe.readEnd) }

        let started = withCStrings(environment.map { "\($0.key)=\($0.value)" }) {
            ChildProgram.start(
                path, [path] + arguments, environment: $0, input: .descriptor(inputPipe.readEnd), output: .descriptor(pipe.writeEnd),
                errors: log.map { .descriptor($0) } ?? .null, signals: .standard, inOwnGroup: true)
        }
        do { pid = try started.get() } catch {
            close(pipe.readEnd)
            close(inputPipe.writeEnd)
            throw CommandFailure("\(path) could not be started: \(error)")
        }
        output = pipe.readEnd
        input = inputPipe.writeEnd
    }

    /// What a program prints; nil if it fails, or takes too long.
    ///
    /// - Throws: if it could not be started.
    static func output(
        of path: String, _ arguments: [String], _ environment: [String: String], timeout milliseconds: Int64, log: Int32? = STDERR_FILENO
    ) throws -> String? {
        let child = try ChildProcess(path: path, arguments: arguments, environment: environment, log: log)
        guard let output = child.collectOutput(timeout: milliseconds), child.status == 0 else { return nil }
        return output
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
        return bytes.count <= Self.pipeCapacity && write(bytes)
    }

    /// Writes to the child's standard input, which stays open. What does not fit in a pipe waits until the child reads.
    ///
    /// - Returns: false if the child does not read it.
    func write(_ bytes: [UInt8]) -> Bool {
        guard let input else { return false }
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
