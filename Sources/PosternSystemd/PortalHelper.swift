// Its headers have the socket's constants as well: which module they belong to depends on the one that the compiler reads first.
import CSystemd
import Glibc

/// A separate process that asks the desktop portal, since the daemon must not.
///
/// The portal looks at the caller, by `/proc/PID/root`, and nobody may look there in a process that forbids core files, as the daemon does:
/// it answers AccessDenied. So a helper asks, which holds no secret: the program itself, executed once more, which is always there and of
/// the same version.
enum PortalHelper {
    private static let busVariables: Set = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"]

    /// - Parameter environment: where the session bus is found; the helper gets nothing else of it.
    /// - Returns: a socket, whose other end is the helper's standard input and output. The caller closes it.
    static func start(_ helper: [String], environment: [String: String]) throws(LaunchError) -> Int32 {
        // A socket, since a helper that has gone must not end us by SIGPIPE.
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw LaunchError("no socket is available: \(String(cString: strerror(errno)))")
        }
        // Its own end is the helper's alone from now on, so that its going is seen.
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
