import Glibc

/// The user's systemd.
struct SystemdUnits {
    let environment: [String: String]

    private var systemctl: String? { Executable.find("systemctl", path: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin") }

    /// Whether it answers: even if systemd is installed it need not run, as in a container.
    var isThere: Bool { output(of: ["show", "--property=Version"]) != nil }

    func isActive(_ unit: String) -> Bool { output(of: ["is-active", "--quiet", unit]) != nil }

    /// The output of `systemctl`; nil if it fails, which it does silently.
    private func output(of arguments: [String]) -> String? {
        systemctl.flatMap { try? ChildProcess.output(of: $0, ["--user"] + arguments, environment, timeout: 5_000, log: nil) }
    }

    /// Its messages go to standard error.
    ///
    /// - Returns: whether it succeeded.
    @discardableResult
    func run(_ arguments: [String]) -> Bool {
        guard let systemctl else { return false }
        return (try? ChildProcess.output(of: systemctl, ["--user"] + arguments, environment, timeout: 30_000)) != nil
    }
}
