import CSystemd
import Glibc

/// Notifies the service manager of the daemon's state (sd_notify(3)). Does nothing if no manager listens.
///
/// Never waits for the manager: what it has no room for is sent again later, the newest of each kind.
public final class ServiceNotifier {
    /// The order in which several wait does not depend on it.
    private enum Kind {
        case ready
        case status
        case reloading
        case stopping
        case watchdog
    }

    private static let retry: Duration = .milliseconds(500)

    private let manager: DatagramSocket?
    private let later: (Duration, _ body: @escaping () -> Void) -> Void
    /// What the manager has yet to read, in order; at most one of each kind.
    private var waiting: [(kind: Kind, state: String)] = []
    private var isRetrying = false

    /// - Parameter later: runs the body once, after the time.
    public init(later: @escaping (Duration, _ body: @escaping () -> Void) -> Void) {
        self.later = later
        manager = getenv("NOTIFY_SOCKET").flatMap { DatagramSocket(to: String(cString: $0)) }
    }

    /// Everything is served from now on; also ends a reload.
    public func ready(status: String) { send(.ready, "READY=1\nSTATUS=\(Self.line(status))") }

    /// One line for `systemctl status`.
    public func status(_ status: String) { send(.status, "STATUS=\(Self.line(status))") }

    /// The configuration is being read again; ``ready(status:)`` ends that.
    public func reloading() {
        send(.reloading, "RELOADING=1\nMONOTONIC_USEC=\(MonotonicClock.microseconds)")
    }

    public func stopping() { send(.stopping, "STOPPING=1") }

    public func watchdog() { send(.watchdog, "WATCHDOG=1") }

    /// Microseconds within which ``watchdog()`` must be called again; nil if the manager does not require it.
    public var watchdogInterval: UInt64? {
        var microseconds: UInt64 = 0
        return sd_watchdog_enabled(0, &microseconds) > 0 && microseconds > 0 ? microseconds : nil
    }

    private func send(_ kind: Kind, _ state: String) {
        guard manager != nil else { return }
        // "Ready" has a status of its own.
        waiting.removeAll { $0.kind == kind || kind == .ready && $0.kind == .status }
        waiting.append((kind, state))
        sendWaiting()
    }

    /// It is no failure if the manager is gone.
    private func sendWaiting() {
        while let next = waiting.first, let manager {
            guard manager.send(Array(next.state.utf8)) != .full else { return retry() }
            waiting.removeFirst()
        }
    }

    private func retry() {
        guard !isRetrying else { return }
        isRetrying = true
        later(Self.retry) { [weak self] in
            self?.isRetrying = false
            self?.sendWaiting()
        }
    }

    private static func line(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") {
            $0.unicodeScalars.append("\n\r\u{b}\u{c}\u{85}\u{2028}\u{2029}".unicodeScalars.contains($1) ? " " : $1)
        }
    }
}
