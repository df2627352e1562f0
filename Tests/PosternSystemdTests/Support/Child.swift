import Glibc

/// The program `systemd-test-child` in its own process.
enum Child {
    struct Outcome {
        var status: Int32
        var output: String
        var errors: String
    }

    /// - Parameters:
    ///   - passing: sockets that it finds as descriptors 3, 4, …, announced as a service manager does.
    ///   - wrapper: a command that runs it, as its last words.
    static func run(
        _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:], passing: [Int32] = [],
        names: String? = nil, wrapper: [String] = []
    ) throws -> Outcome {
        var words = wrapper + [path] + arguments
        var environment = environment
        environment["PATH"] = "/usr/local/bin:/usr/bin:/bin"
        if !passing.isEmpty {
            // The variable holds the number of the process that the sockets are for, which only that process knows beforehand.
            words = ["/bin/sh", "-c", #"LISTEN_PID=$$ exec "$0" "$@""#] + words
            environment["LISTEN_FDS"] = "\(passing.count)"
            environment["LISTEN_FDNAMES"] = names
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let output = folder.path("output")
        let errors = folder.path("errors")
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        // First away from the numbers that they come to, so that none is written over.
        let high = passing.map { fcntl($0, F_DUPFD_CLOEXEC, 100) }
        defer { high.forEach { close($0) } }
        for (index, descriptor) in high.enumerated() { posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(3 + index)) }

        // Tests run on threads that block signals, and a child that inherited that could not be ended.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let argv = words.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + variables).forEach { free($0) } }
        var child: pid_t = 0
        let result = posix_spawnp(&child, words[0], &actions, &attributes, argv, variables)
        guard result == 0 else { throw Failure(description: "\(words[0]): \(String(cString: strerror(result)))") }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return Outcome(
            status: status & 0x7F == 0 ? status >> 8 : -(status & 0x7F), output: try folder.read("output"), errors: try folder.read("errors"))
    }

    /// Beside the bundle of the tests.
    static var path: String {
        let tests = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? executable
        guard let slash = tests.lastIndex(of: "/") else { return "systemd-test-child" }
        return "\(tests[..<slash])/systemd-test-child"
    }

    private static var executable: String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}

struct Failure: Error, CustomStringConvertible {
    var description: String
}
