// Its headers have the socket's constants as well: which module they belong to depends on the one that the compiler reads first.
import CSystemd
import Glibc

/// A separate process that calls the desktop portal, since the daemon must not.
///
/// The portal identifies the caller by `/proc/PID/root`, which nobody may read for a process that forbids core files, as the daemon does:
/// it answers AccessDenied. So a helper without any secret makes the call: the program itself, executed once more, which always exists and
/// has the same version.
enum PortalProcess {
    private static let busVariables: Set = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"]

    /// - Parameter environment: used to find the session bus; the helper gets nothing else from it.
    /// - Returns: a socket, whose other end is the helper's standard input and output. The caller closes it.
    static func start(_ helper: [String], environment: [String: String]) throws(LaunchError) -> Int32 {
        // A socket, since a helper that has exited must not end us by SIGPIPE.
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw LaunchError("no socket is available: \(String(cString: strerror(errno)))")
        }
        // Only the helper has its end from now on, so that its exit is noticed.
        defer { close(ends[1]) }
        do throws(LaunchError) {
            let environment = environment.filter { busVariables.contains($0.key) }
            try DetachedProgram.start(helper, environment: environment, input: ends[1], output: ends[1])
        } catch {
            close(ends[0])
            throw error
        }
        return ends[0]
    }
}
