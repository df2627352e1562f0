import CSystemd
import Glibc

/// Notifies the service manager of the daemon's state (sd_notify(3)). Does nothing if no manager listens.
public struct ServiceNotifier: Sendable {
    public init() {}

    /// Everything is served from now on; also ends a reload.
    public func ready(status: String) { send("READY=1\nSTATUS=\(Self.line(status))") }

    /// One line for `systemctl status`.
    public func status(_ status: String) { send("STATUS=\(Self.line(status))") }

    /// The configuration is being read again; ``ready(status:)`` ends that.
    public func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        send("RELOADING=1\nMONOTONIC_USEC=\(UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000)")
    }

    public func stopping() { send("STOPPING=1") }

    public func watchdog() { send("WATCHDOG=1") }

    /// Microseconds within which ``watchdog()`` must be called again; nil if the manager does not require it.
    public var watchdogInterval: UInt64? {
        var microseconds: UInt64 = 0
        return sd_watchdog_enabled(0, &microseconds) > 0 && microseconds > 0 ? microseconds : nil
    }

    /// It is no failure if the manager is gone.
    private func send(_ state: String) { sd_notify(0, state) }

    private static func line(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }
}
