import CProcess
import CSystemd
import Glibc

/// Why a program was not started.
public struct LaunchError: Error, Sendable, Hashable, CustomStringConvertible {
    public var description: String
    public init(_ description: String) { self.description = description }
}

/// Starts an independent program: it is not our child, has none of our limits, and may block or produce output.
public enum DetachedProgram {
    /// Starts it as a transient unit of the user's manager, with the manager's environment: that of the desktop, once the user has logged
    /// in.
    ///
    /// Blocks for some seconds at most. No shell sees the arguments.
    ///
    /// - Parameters:
    ///   - variables: added to those of the manager's environment.
    ///   - watchTime: within this many milliseconds, an exit with a status other than 0 is an error.
    public static func startAsUnit(
        _ arguments: [String], description: String, variables: [String: String] = [:], watchTime: Int32 = 0
    ) throws(LaunchError) {
        guard let program = arguments.first.flatMap(Self.path) else {
            throw LaunchError("there is no program \(arguments.first ?? "") on PATH")
        }
        let status: UnitWatch.Status?
        do throws(BusError) {
            let bus = try Bus()
            // Unit names are not reused in one run of the daemon.
            let unit = "postern-page-\(getpid())-\(MonotonicClock.nanoseconds).service"
            // If the manager does not report how it ends, a program that was started counts as successful.
            let watch = watchTime > 0 ? try? UnitWatch(of: unit, on: bus) : nil
            try bus.call(
                "org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", "StartTransientUnit"
            ) { message in
                message.strings(unit, "fail")
                message.container(.array, "(sv)") {
                    // Helpers such as xdg-open exit while the browser that they started keeps running.
                    for (name, value) in [
                        ("Description", description), ("CollectMode", "inactive-or-failed"), ("StandardOutput", "null"),
                        ("StandardError", "null"), ("KillMode", "process"), ("Type", "exec"),
                    ] {
                        message.property(name, value, as: .structure)
                    }
                    if !variables.isEmpty {
                        message.property("Environment", "as", as: .structure) {
                            message.container(.array, "s") { for (name, value) in variables { message.strings("\(name)=\(value)") } }
                        }
                    }
                    execStart(message, program, arguments)
                }
                message.container(.array, "(sa(sv))")
            }
            status = watch.flatMap { try? $0.status(within: UInt64(watchTime)) }
        } catch {
            throw LaunchError("the service manager did not start \(program): \(error)")
        }
        if let status, status != .exited(0) { throw LaunchError("\(program) \(status)") }
    }

    /// Without a service manager: in its own session and without a parent, so that it never becomes our zombie. It has none of our
    /// descriptors: a browser that runs for days must not keep a client's connection open.
    ///
    /// - Parameters:
    ///   - environment: the program's environment.
    ///   - input: its standard input; `/dev/null` if it is negative.
    ///   - output: its standard output, in the same way.
    public static func start(
        _ arguments: [String], environment: [String: String], input: Int32 = -1, output: Int32 = -1
    ) throws(LaunchError) {
        try start(arguments, environment) { postern_start_detached($0, $1, $2, input, output) }
    }

    /// As ``start(_:environment:input:output:)``, but blocks for the given time, or until the program exits.
    ///
    /// - Parameter watchTime: within this many milliseconds, an exit with a status other than 0 is an error.
    public static func start(_ arguments: [String], environment: [String: String], watchTime: Int32) throws(LaunchError) {
        var watch: Int32 = -1
        try start(arguments, environment) { postern_start_watched($0, $1, $2, watchTime, &watch) }
        defer { close(watch) }
        // This ends by itself, if the process that watches is not stopped.
        var polled = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
        var code: Int32 = 0
        guard poll(&polled, 1, watchTime + 500) > 0, read(watch, &code, 4) == 4 else { return }
        let status: UnitWatch.Status = code & 0x7F == 0 ? .exited((code >> 8) & 0xFF) : .killed(code & 0x7F)
        if status != .exited(0) { throw LaunchError("\(arguments.first ?? "") \(status)") }
    }

    private typealias Words = [UnsafeMutablePointer<CChar>?]

    private static func start(
        _ arguments: [String], _ environment: [String: String], by start: (String, Words, Words) -> Int32
    ) throws(LaunchError) {
        guard let name = arguments.first, let program = path(name) else {
            throw LaunchError("there is no program \(arguments.first ?? "") on PATH")
        }
        let words = ([program] + arguments.dropFirst()).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        let result = start(program, words, variables)
        guard result == 0 else { throw LaunchError("\(program) cannot be started: \(String(cString: strerror(result)))") }
    }

    /// Finds a program as a shell would; a path is returned unchanged.
    static func path(_ name: String) -> String? {
        if name.utf8.contains(UInt8(ascii: "/")) { return isProgram(name) ? name : nil }
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return folders.unicodeScalars.split(separator: ":").map { "\(Substring($0))/\(name)" }.first(where: isProgram)
    }

    /// A directory may be executable, too.
    private static func isProgram(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    /// `ExecStartEx` is `a(sasas)`: the program, its arguments, and flags. Without the flag the manager would treat `$` in a page's
    /// address, or in a configured argument, as the beginning of a variable.
    private static func execStart(_ message: BusWriter, _ program: String, _ arguments: [String]) {
        message.property("ExecStartEx", "a(sasas)", as: .structure) {
            message.container(.array, "(sasas)") {
                message.container(.structure, "sasas") {
                    message.strings(program)
                    message.container(.array, "s") { for word in [program] + arguments.dropFirst() { message.strings(word) } }
                    message.container(.array, "s") { message.strings("no-env-expand") }
                }
            }
        }
    }
}
