import CProcess
import Glibc

/// What a program writes to its standard output, within limits.
enum CommandOutput {
    enum Failure: Error, Hashable {
        /// An errno.
        case notStarted(Int32)
        case status(Int32)
        case signal(Int32)
        case timedOut(seconds: Int64)
        case tooLong(limit: Int)
        case lost

        /// Completes a sentence that begins with the command.
        var sentence: String {
            switch self {
            case .notStarted(let code): "could not be started: \(SystemError.text(code))"
            case .status(let status): "ended with status \(status)"
            case .signal(let number): "was ended by signal \(number)"
            case .timedOut(let seconds): "took longer than \(seconds) s"
            case .tooLong(let limit): "wrote more than \(limit) bytes"
            case .lost: "ended, but its status is unknown"
            }
        }
    }

    /// Starts the program without a shell and waits for it, as a ``CommandUnit`` if there is a service manager. It shares the daemon's standard error, so that its messages reach the log.
    ///
    /// - Parameters:
    ///   - input: its standard input, at most what a pipe holds (`PIPE_BUF`, 4096 bytes); `/dev/null` if nil.
    ///   - timeout: the limit for everything; then the program and what it started are killed.
    ///   - limit: in bytes.
    ///   - inUnit: false for a program that always is a child.
    static func read(
        _ arguments: [String], environment: [String: String], input: [UInt8]? = nil, timeout: Duration, limit: Int, inUnit: Bool = true
    ) throws(Failure) -> [UInt8] {
        let unit = inUnit ? CommandUnit(of: arguments, environment: environment, timeout: timeout) : nil
        var ends: [Int32] = [-1, -1]
        guard postern_pipe(&ends) == 0 else { throw .notStarted(errno) }
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        let source: Int32?
        do throws(Failure) { source = try input.map { bytes throws(Failure) in try pipe(holding: bytes) } } catch {
            close(writing)
            throw error
        }
        let started = spawn(unit?.arguments ?? arguments, environment: environment, input: source, output: writing)
        close(writing)
        if let source { close(source) }
        let process = try started.get()
        var output = OutputReader(descriptor: reading, process: process, limit: limit)
        let failure = output.run(for: timeout)
        if !output.hasEnded {
            // The group, and the process in case it has left the group.
            kill(-process, SIGKILL)
            kill(process, SIGKILL)
            while waitpid(process, nil, 0) < 0, errno == EINTR {}
            unit?.kill(environment: environment)
        }
        if let failure { throw failure }
        // The encoding of `waitpid`; its C macros are not imported into Swift.
        guard let status = output.status else { throw .lost }
        if status & 0x7F != 0 { throw .signal(status & 0x7F) }
        if status >> 8 & 0xFF != 0 { throw .status(status >> 8 & 0xFF) }
        return output.bytes
    }

    /// The reading end of a pipe that holds the bytes and then ends.
    ///
    /// Filled before anybody reads, so that no program can block the write.
    private static func pipe(holding bytes: [UInt8]) throws(Failure) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard postern_pipe(&ends) == 0 else { throw .notStarted(errno) }
        defer { close(ends[1]) }
        guard bytes.count <= Int(PIPE_BUF), write(ends[1], bytes, bytes.count) == bytes.count else {
            close(ends[0])
            throw .notStarted(EMSGSIZE)
        }
        return ends[0]
    }

    private static func spawn(
        _ arguments: [String], environment: [String: String], input: Int32?, output: Int32
    ) -> Result<pid_t, Failure> {
        guard let program = arguments.first else { return .failure(.notStarted(EINVAL)) }
        let variables = environment.filter { !ServiceVariables.ofProtocols.contains($0.key) }.map { "\($0.key)=\($0.value)" }
        return withCStrings(variables) { variables in
            // The daemon blocks and ignores signals, which is nothing for others. Whatever it has open, close-on-exec or not: the program
            // that prints a secret is connected to nobody but us.
            ChildProgram.start(
                program, arguments, environment: variables, input: input.map { .descriptor($0) } ?? .null, output: .descriptor(output),
                signals: .standard, inOwnGroup: true, withOtherDescriptors: false)
        }.mapError { .notStarted($0.code) }
    }
}
