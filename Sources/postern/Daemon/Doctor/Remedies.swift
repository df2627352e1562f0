import PosternClient

/// How to fix things on this machine, using only tools that it has.
struct Remedies: Equatable {
    /// This user's systemd answers.
    var hasSystemd: Bool
    var hasTimedatectl = true
    /// `loginctl` is installed, and systemd runs.
    var hasLoginctl = true
    /// `/run/user/UID` exists.
    var hasRuntimeDirectory = true

    var start: String {
        hasSystemd ? "systemctl --user enable --now postern.socket" : "start it in the background: \(DaemonStart.inBackground)"
    }

    /// For another user's socket, which this user cannot change.
    var ownDaemon: String { "have POSTERN_SOCKET and XDG_RUNTIME_DIR name your own directory; to start your own daemon: \(start)" }

    var restart: String {
        hasSystemd ? "systemctl --user restart postern.service" : "stop posternd, and start it again: \(DaemonStart.inBackground)"
    }

    /// For a problem that the daemon reports of itself.
    func fix(of problem: String) -> String {
        if problem.holds(" could not be saved yet;") { return "make room on the disk of the state directory; it is tried again soon" }
        if problem.begins(with: "the callback listener's certificate") { return "\(ConfigurationCheck.newCertificate): \(restart)" }
        // A process keeps the environment that it was started with, whatever is reloaded.
        if problem.holds("the environment variable ") { return environment("EnvironmentFile=FILE, a file of mode 600 with NAME=VALUE") }
        if problem.holds(" was started without LoadCredential=") {
            return hasSystemd
                ? environment("LoadCredential=NAME:FILE")
                : "only systemd gives a service credentials: use { file = \"FILE\" } in its place, then: \(restart)"
        }
        if problem.begins(with: "requests to providers are not sent: the setting ") {
            let place = hasSystemd ? "systemctl --user show-environment and systemctl --user cat postern.service show where it is set" : nil
            return "correct or unset it where the daemon is started\(place.map { " (\($0))" } ?? ""); then: \(restart)"
        }
        // The shell may have other directories in PATH.
        if problem.holds(" in PATH") || problem.holds(" could not be started: no such file") {
            return "install it in a directory of the daemon's PATH, or give its full path; then: postern reload"
        }
        return "postern reload, once that is fixed"
    }

    /// For something that only the daemon's environment can give it.
    private func environment(_ setting: String) -> String {
        hasSystemd
            ? "systemctl --user edit postern.service, and under [Service] write \(setting); then: \(restart)"
            : "set it where posternd is started, then: \(restart)"
    }

    /// Where the daemon says what happened.
    var log: String {
        hasSystemd ? "journalctl --user -u postern.service says more" : "run posternd in a terminal to see what it says"
    }

    var setClock: String {
        hasTimedatectl ? "timedatectl set-ntp true" : "set the clock"
    }

    /// If `XDG_RUNTIME_DIR` has no usable value.
    func runtimeDirectory(userID: UInt32) -> String {
        hasRuntimeDirectory || hasLoginctl
            ? "export XDG_RUNTIME_DIR=/run/user/\(userID)"
            : "make a directory that only you can enter (mkdir -m 700 DIRECTORY), then: export XDG_RUNTIME_DIR=DIRECTORY"
    }

    /// If another user has the callback port.
    var otherPort: String {
        let byHand = "port under [callback] in config.toml, and run posternd again"
        let choice =
            hasSystemd
            ? "systemctl --user edit postern-callback.socket (an empty ListenStream=, then ListenStream=127.0.0.1:PORT), the same for "
                + "postern-callback-ipv6.socket with [::1]:PORT, then systemctl --user stop postern.service; "
                + "systemctl --user start postern-callback.socket. If posternd was started by hand: \(byHand)"
            : byHand
        return "to have a port of your own: \(choice). Providers that accept no other port must know the new one: "
            + "postern provider show PROVIDER"
    }

    func restart(callbackSocket unit: String) -> String {
        hasSystemd ? "systemctl --user restart \(unit)" : restart
    }
}
