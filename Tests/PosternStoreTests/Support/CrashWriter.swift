import Glibc

/// The program `store-crash-writer` as a child process, which is killed in the midst of its work.
final class CrashWriter {
    private let process: pid_t
    private let output: Int32
    private var pending: [UInt8] = []

    /// - Parameter mask: the umask that it runs under.
    init(directory: String, first: Int, mask: mode_t? = nil) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemFailure(call: "pipe", code: errno) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        posix_spawn_file_actions_addclose(&actions, ends[1])

        var words = [try Self.program(), directory, "\(first)"]
        if let mask {
            // The umask is the whole process's, and other tests run in this one.
            words = ["/bin/sh", "-c", "umask \(String(mask, radix: 8)); exec \"$@\"", "sh"] + words
        }
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        let result = posix_spawn(&child, words[0], &actions, nil, &arguments, environ)
        close(ends[1])
        guard result == 0 else {
            close(ends[0])
            throw SystemFailure(call: "posix_spawn \(words[0])", code: result)
        }
        process = child
        output = ends[0]
    }

    deinit { close(output) }

    /// The next number that it said is on disk; nil when it is dead and has said all.
    func nextAcknowledged() -> Int? {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeFirst(end + 1)
                return Int(line)
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            pending.append(contentsOf: buffer.prefix(count))
        }
    }

    /// Kills it, waits until it is gone, and gives the numbers that it still said.
    func kill() -> [Int] {
        Glibc.kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        var rest: [Int] = []
        while let number = nextAcknowledged() { rest.append(number) }
        return rest
    }

    /// Beside the test program, where the build puts all programs.
    private static func program() throws -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw SystemFailure(call: "readlink", code: errno) }
        let tests = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let slash = tests.lastIndex(of: "/") else { throw SystemFailure(call: "program", code: ENOENT) }
        return "\(tests[..<slash])/store-crash-writer"
    }
}
