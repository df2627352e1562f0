import Glibc
import PosternApplication
import PosternConfiguration
import PosternSystemd

/// Opens a page the way the configuration says, away from the event loop: D-Bus and programs take their time.
@DaemonActor
final class PageLauncher: PageLaunching {
    private let environment: [String: String]

    init(environment: [String: String]) { self.environment = environment }

    /// - Parameter done: why the page could not be opened; nil where it was.
    func launch(_ url: String, by browser: Configuration.Browser, done: @escaping @Sendable @DaemonActor (_ problem: String?) -> Void) {
        let environment = environment
        DaemonActor.start {
            let problem: String?
            do throws(NoThread) {
                problem = try await BlockingWork.run { () -> String? in
                    do throws(LaunchError) {
                        switch browser {
                        case .none: throw LaunchError("browser is \"none\"")
                        case .portal: try OpenURIPortal.open(url, helper: Self.portalHelper, environment: environment)
                        case .command(let command): try Self.start(command + [url], environment: environment)
                        }
                        return nil
                    } catch {
                        return error.description
                    }
                }
            } catch {
                problem = error.description
            }
            done(problem)
        }
    }

    /// This program, whatever has become of its file since it was started; ``Daemon/openWithPortal()`` is what it comes to.
    private nonisolated static let portalHelper = ["/proc/self/exe", "--open-with-portal"]

    /// Under a service manager the browser becomes a unit of its own: a child would be held to the daemon's limits, and die with it.
    private nonisolated static func start(_ arguments: [String], environment: [String: String]) throws(LaunchError) {
        // Of a unit's other processes, a terminal's for one, the variable names another.
        guard environment["SYSTEMD_EXEC_PID"] == "\(getpid())" else {
            return try DetachedProgram.start(arguments, environment: environment)
        }
        try DetachedProgram.startAsUnit(arguments, description: "Sign-in page")
    }
}
