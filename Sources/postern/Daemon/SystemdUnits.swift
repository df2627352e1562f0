import Glibc

/// The user's systemd.
struct SystemdUnits {
    let environment: [String: String]

    private var systemctl: String? { Executable.find("systemctl", path: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin") }

    /// Whether it answers: even if systemd is installed it need not run, as in a container.
    var isThere: Bool { output(of: ["show", "--property=Version"]) != nil }

    func isActive(_ unit: String) -> Bool { output(of: ["is-active", "--quiet", unit]) != nil }

    /// Nil if systemd cannot be reached.
    func unit(_ name: String) -> UnitsCheck.Unit? {
        output(of: ["show", "--property=\(UnitsCheck.properties)", name]).flatMap { UnitsCheck.read($0).first }
    }

    /// The output of `systemctl`; nil if it fails, which it does silently.
    private func output(of arguments: [String]) -> String? {
        let log = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard log >= 0 else { return nil }
        defer { close(log) }
        guard let systemctl,
            let child = try? ChildProcess(path: systemctl, arguments: ["--user"] + arguments, environment: environment, log: log),
            let output = child.collectOutput(timeout: 5_000), child.status == 0
        else { return nil }
        return output
    }

    /// Its messages go to standard error.
    ///
    /// - Returns: whether it succeeded.
    @discardableResult
    func run(_ arguments: [String]) -> Bool {
        guard let systemctl,
            let child = try? ChildProcess(
                path: systemctl, arguments: ["--user"] + arguments, environment: environment, log: STDERR_FILENO)
        else { return false }
        return child.collectOutput(timeout: 30_000) != nil && child.status == 0
    }
}
