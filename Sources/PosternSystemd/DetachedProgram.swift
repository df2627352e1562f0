import CSystemd
import Glibc

/// Why a program was not started.
public struct LaunchError: Error, Sendable, Hashable, CustomStringConvertible {
    public var description: String
    public init(_ description: String) { self.description = description }
}

/// Starts a program that goes its own way: it is not our child, has none of our limits, and may block or chatter.
public enum DetachedProgram {
    /// As a transient unit of the user's manager, with the manager's environment: that of the desktop, once it has logged in.
    ///
    /// Blocks for three seconds at most. No shell sees the arguments.
    public static func startAsUnit(_ arguments: [String], description: String) throws(LaunchError) {
        guard let program = arguments.first.flatMap(Self.path) else {
            throw LaunchError("there is no program \(arguments.first ?? "") on PATH")
        }
        do throws(BusError) {
            let bus = try Bus()
            try bus.call(
                "org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", "StartTransientUnit"
            ) { message in
                firstError(
                    { postern_bus_append_string(message, "postern-page-\(getpid())-\(uniqueNumber()).service") },
                    { postern_bus_append_string(message, "fail") },
                    { sd_bus_message_open_container(message, CChar(UInt8(ascii: "a")), "(sv)") },
                    { property(message, "Description", description) }, { property(message, "CollectMode", "inactive-or-failed") },
                    { property(message, "StandardOutput", "null") }, { property(message, "StandardError", "null") },
                    // Helpers such as xdg-open end while the browser that they started lives on.
                    { property(message, "KillMode", "process") }, { property(message, "Type", "exec") },
                    { execStart(message, program, arguments) }, { sd_bus_message_close_container(message) },
                    { sd_bus_message_open_container(message, CChar(UInt8(ascii: "a")), "(sa(sv))") },
                    { sd_bus_message_close_container(message) })
            } read: { _ throws(BusError) in }
        } catch {
            throw LaunchError("the service manager did not start \(program): \(error)")
        }
    }

    /// Without a service manager: in a session of its own, its parent gone before it runs.
    ///
    /// - Parameter environment: what the program gets.
    public static func start(_ arguments: [String], environment: [String: String]) throws(LaunchError) {
        guard let name = arguments.first, let program = path(name) else {
            throw LaunchError("there is no program \(arguments.first ?? "") on PATH")
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        // A browser that lives for days must not hold on to a client's connection: not every descriptor here is close-on-exec.
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | newSession))

        // setsid(1) starts the program and ends, so that the program belongs to init, and is nobody's zombie.
        let fork = path("setsid").map { [$0, "--fork", program] } ?? [program]
        let words = (fork + arguments.dropFirst()).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var child: pid_t = 0
        let result = posix_spawn(&child, fork[0], &actions, &attributes, words, variables)
        guard result == 0 else { throw LaunchError("\(program) cannot be started: \(String(cString: strerror(result)))") }
        var status: Int32 = 0
        if fork.count > 1 {
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            guard status == 0 else { throw LaunchError("\(program) cannot be started (setsid ended with \(status >> 8))") }
        }
    }

    /// `POSIX_SPAWN_SETSID` (posix_spawn(3)), which the C library shows to GNU programs only.
    private static let newSession: Int32 = 0x80

    /// Looks a program up as a shell would; a path stays one.
    static func path(_ name: String) -> String? {
        if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    private static func property(_ message: OpaquePointer, _ name: String, _ value: String) -> Int32 {
        firstError(
            { sd_bus_message_open_container(message, CChar(UInt8(ascii: "r")), "sv") },
            { postern_bus_append_string_variant(message, name, value) }, { sd_bus_message_close_container(message) })
    }

    /// `ExecStart` is `a(sasb)`: the program, its arguments, and whether a failure is ignored.
    private static func execStart(_ message: OpaquePointer, _ program: String, _ arguments: [String]) -> Int32 {
        func open(_ kind: Character, _ contents: String) -> Int32 {
            sd_bus_message_open_container(message, CChar(kind.asciiValue ?? 0), contents)
        }
        var result = firstError(
            { open("r", "sv") }, { postern_bus_append_string(message, "ExecStart") }, { open("v", "a(sasb)") }, { open("a", "(sasb)") },
            { open("r", "sasb") }, { postern_bus_append_string(message, program) }, { open("a", "s") })
        for argument in [program] + arguments.dropFirst() where result >= 0 { result = postern_bus_append_string(message, argument) }
        guard result >= 0 else { return result }
        return firstError(
            { sd_bus_message_close_container(message) }, { postern_bus_append_boolean(message, 0) },
            { sd_bus_message_close_container(message) }, { sd_bus_message_close_container(message) },
            { sd_bus_message_close_container(message) }, { sd_bus_message_close_container(message) })
    }

    /// Unit names are not used twice in one life of the daemon.
    private static func uniqueNumber() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
