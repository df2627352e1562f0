import Glibc
import TOML

/// A program that the configuration names, as a unit of its own of the user's service manager.
///
/// A child of the daemon has the limits of the daemon's unit, under which no just-in-time compiler works and no program can put itself into
/// a sandbox. The programs are the user's, and chosen without knowledge of these limits.
struct CommandUnit {
    /// `systemd-run`, which ends as the program does, and whose standard input, output and error the program gets.
    let arguments: [String]
    private let name: String
    private let systemctl: String

    /// - Parameters:
    ///   - environment: the daemon's; the program gets it, and not only the manager's.
    ///   - timeout: after which the manager ends the program if the daemon has not.
    /// - Returns: nil if this process is not that of a unit, and if the manager cannot be reached, or not be given the program: it then runs
    ///   as a child.
    init?(of command: [String], environment: [String: String], timeout: Duration) {
        // In a unit's other processes the variable has another process's number.
        guard environment["SYSTEMD_EXEC_PID"] == "\(getpid())", Self.hasBus(environment),
            let systemdRun = Self.find("systemd-run", environment), let systemctl = Self.find("systemctl", environment),
            Self.copiesVariables(systemdRun, environment),
            // The manager would take the dollar sign for the beginning of a variable, and cannot be told otherwise in a path.
            let program = command.first.flatMap({ Self.find($0, environment) }), program.begins(with: "/"),
            !program.utf8.contains(Self.dollar)
        else { return nil }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        name = "postern-command-\(getpid())-\(time.tv_sec)-\(time.tv_nsec).service"
        self.systemctl = systemctl
        let seconds = max(1, timeout.components.seconds)
        // What it leaves running, such as gpg-agent, goes on running. Its arguments are kept out of the description, which is logged.
        let properties = ["KillMode=process", "UMask=0077", "LimitCORE=0", "RuntimeMaxSec=\(seconds)s"]
        let variables = environment.keys.filter { ServiceVariables.isName($0) && !ServiceVariables.ofUnit.contains($0) }.sorted()
        let options = ["--user", "--quiet", "--collect", "--wait", "--pipe", "--unit=\(name)", "--description=A command of Postern's"]
        arguments =
            [systemdRun] + options + properties.map { "--property=\($0)" }
            // Without their values, which others could read here.
            + variables.map { "--setenv=\($0)" } + ["--", program] + command.dropFirst().map(Self.literal)
    }

    /// Kills the program and what it started.
    func kill(environment: [String: String]) {
        _ = try? CommandOutput.read(
            [systemctl, "--user", "kill", "--signal=SIGKILL", name], environment: environment, timeout: .seconds(5), limit: 4096,
            inUnit: false)
    }

    /// `--setenv=NAME` without a value is of systemd 250.
    private static func copiesVariables(_ systemdRun: String, _ environment: [String: String]) -> Bool {
        let said = try? CommandOutput.read(
            [systemdRun, "--version"], environment: environment, timeout: .seconds(5), limit: 4096, inUnit: false)
        let words = said.map { String(decoding: $0, as: UTF8.self).parts { $0 == " " || $0 == "\n" } } ?? []
        return words.first == "systemd" && words.dropFirst().first.flatMap { Int($0) } ?? 0 >= 250
    }

    private static let dollar = UInt8(ascii: "$")

    /// Two dollar signs stand for one (systemd.service(5)).
    private static func literal(_ word: String) -> String {
        String(decoding: word.utf8.flatMap { $0 == dollar ? [$0, $0] : [$0] }, as: UTF8.self)
    }

    private static func hasBus(_ environment: [String: String]) -> Bool {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return true }
        return environment["XDG_RUNTIME_DIR"].map { access("\($0)/bus", F_OK) == 0 } ?? false
    }

    private static func find(_ name: String, _ environment: [String: String]) -> String? {
        if name.utf8.contains(UInt8(ascii: "/")) { return ProgramSearch.isProgram(name) ? name : nil }
        return ProgramSearch.find(name, path: environment["PATH"] ?? ProgramSearch.standard)
    }
}

/// Variables with which a service manager tells one process about itself.
public enum ServiceVariables {
    /// The manager refuses others: letters, digits and _, and no digit at the beginning.
    static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first) else { return false }
        return name.utf8.allSatisfy { TOMLKey.isBareCharacter($0) && $0 != UInt8(ascii: "-") }
    }

    /// A program that used them would speak in the service's name.
    static let ofProtocols: Set<String> = ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]

    /// A unit has its own.
    static let ofUnit: Set<String> = ofProtocols.union([
        "INVOCATION_ID", "JOURNAL_STREAM", "MANAGERPID", "SYSTEMD_EXEC_PID", "MEMORY_PRESSURE_WATCH", "MEMORY_PRESSURE_WRITE",
    ])

    /// Those that are not for an independent program such as a browser: the service's own, with its credentials, and the permission to come
    /// to the front that a desktop gave to the program that starts it.
    public static let notForOthers: Set<String> = ofUnit.union(["CREDENTIALS_DIRECTORY", "DESKTOP_STARTUP_ID", "XDG_ACTIVATION_TOKEN"])
}
