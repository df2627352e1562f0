import Glibc

enum ChildProcess {
    struct Failure: Error {
        var code: CInt
    }

    /// Starts a program and waits for its end.
    ///
    /// - Returns: its exit status; -1 where a signal ended it.
    static func run(_ program: String, _ arguments: [String]) throws -> CInt { try wait(for: start(program, arguments)) }

    /// - Parameter input: becomes the child's standard input.
    static func start(_ program: String, _ arguments: [String], input: CInt? = nil, output: CInt? = nil) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
        var argv: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in argv { free(pointer) } }
        var pid = pid_t()
        let code = posix_spawn(&pid, program, &actions, nil, &argv, environ)
        guard code == 0 else { throw Failure(code: code) }
        return pid
    }

    /// A pipe whose ends no other child inherits.
    static func pipe() -> (reading: CInt, writing: CInt) {
        var ends: [CInt] = [-1, -1]
        _ = Glibc.pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    static func wait(for pid: pid_t) -> CInt {
        var status: CInt = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
    }

    /// The directory in which the package's programs were built, beside the tests.
    static var programs: String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
        let path = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    }
}
