import Glibc

/// How a user of this machine starts the daemon.
public enum DaemonStart {
    /// Whether systemd runs; its programs may be installed without it. The directory is there only then (sd_booted(3)).
    public static var hasSystemd: Bool { access("/run/systemd/system", F_OK) == 0 }

    /// A line for a shell: the daemon goes on when the shell ends.
    public static let inBackground = "nohup posternd >/dev/null 2>&1 &"

    /// What to run, as a part of a sentence.
    static var advice: String { hasSystemd ? "systemctl --user start postern.socket, or run posternd" : inBackground }
}
