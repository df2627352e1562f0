import Glibc
import Synchronization

/// Other programs, for tests.
///
/// Foundation's `Process` is not used: to find the open descriptors it reads up to 255 bytes behind a directory's buffer
/// (`findMaximumOpenFromProcSelfFD`), and sometimes nothing is there.
public enum TestProcess {
    public struct Failure: Error {
        public var program: String
        public var code: CInt
    }

    /// What becomes of what a program writes to standard error.
    public enum Errors: Sendable {
        /// It comes where the tests' own goes.
        case inherited
        /// It comes with the output.
        case joined
        case dropped
    }

    /// No program starts between the making of a pipe and its mark that none inherits it.
    private static let starting = Mutex(())

    /// Starts a program, reads what it writes, and waits for its end.
    ///
    /// - Parameters:
    ///   - program: a path, or a name that is looked for in `PATH`.
    ///   - environment: in addition to that of the tests.
    /// - Returns: as ``wait(for:)``, and the output.
    public static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], errors: Errors = .joined
    ) throws -> (status: CInt, output: String) {
        let (reading, writing) = pipe()
        defer { close(reading) }
        let pid: pid_t
        do {
            defer { close(writing) }
            pid = try start(program, arguments, environment: environment, output: writing, errors: errors)
        }
        var bytes: [UInt8] = []
        while true {
            let more = read(from: reading)
            guard !more.isEmpty else { return (wait(for: pid), String(decoding: bytes, as: UTF8.self)) }
            bytes += more
        }
    }

    /// - Parameters:
    ///   - input: becomes the program's standard input; nil: it has none.
    ///   - output: becomes its standard output; nil: the tests' own.
    public static func start(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], input: CInt? = nil, output: CInt? = nil,
        errors: Errors = .inherited
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
        switch errors {
        case .inherited: break
        case .joined: posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        case .dropped: posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        var argv: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = merged(environment).map { strdup($0) } + [nil]
        defer { for pointer in argv + variables { free(pointer) } }
        var pid = pid_t()
        let code = starting.withLock { _ in posix_spawnp(&pid, program, &actions, nil, &argv, &variables) }
        guard code == 0 else { throw Failure(program: program, code: code) }
        return pid
    }

    private static func merged(_ further: [String: String]) -> [String] {
        var own: [String] = []
        var next = environ
        while let variable = next.pointee {
            let text = String(cString: variable)
            if !further.keys.contains(where: { text.hasPrefix("\($0)=") }) { own.append(text) }
            next += 1
        }
        return own + further.map { "\($0.key)=\($0.value)" }
    }

    /// A pipe whose ends no program inherits unless it is given one.
    public static func pipe() -> (reading: CInt, writing: CInt) {
        starting.withLock { _ in
            var ends: [CInt] = [-1, -1]
            _ = Glibc.pipe(&ends)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (ends[0], ends[1])
        }
    }

    /// As many bytes as there are; empty at the end.
    public static func read(from descriptor: CInt) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var count: Int
        repeat { count = Glibc.read(descriptor, &buffer, buffer.count) } while count < 0 && errno == EINTR
        return Array(buffer.prefix(max(0, count)))
    }

    /// - Returns: its exit status; -1 where a signal ended it.
    public static func wait(for pid: pid_t) -> CInt {
        var status: CInt = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
    }

    /// The directory in which the package's programs were built, beside the tests.
    public static var programs: String { self.program.split(separator: "/").dropLast().map { "/" + $0 }.joined() }

    /// The program of the tests itself.
    public static var program: String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
        return String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
