import Glibc
import PosternApplication
import PosternConfiguration
import PosternSystemd

/// Opens a page the way the configuration says, away from the daemon's loop: D-Bus and programs take their time.
@DaemonActor
final class PageLauncher: PageLaunching {
    private let environment: [String: String]

    init(environment: [String: String]) { self.environment = environment }

    func launch(
        _ url: String, by browser: Configuration.Browser, activationToken: String?,
        done: @escaping @Sendable @DaemonActor (_ problem: String?) -> Void
    ) {
        let token = activationToken.flatMap { ActivationToken($0) }
        let environment = environment
        DaemonActor.start {
            let problem: String?
            do throws(NoThread) {
                problem = try await BlockingWork.run { () -> String? in
                    do throws(LaunchError) {
                        switch browser {
                        case .none: throw LaunchError("browser is \"none\"")
                        case .portal:
                            try OpenURIPortal.open(url, activationToken: token, helper: Self.portalHelper, environment: environment)
                        case .command(let command):
                            try Self.start(command + [url], activationToken: token, environment: environment)
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

    /// Milliseconds in which a browser, or what looks for one, says that it shows no page: xdg-open ends with status 3 where there is none.
    private nonisolated static let watchTime: Int32 = 2000

    /// Under a service manager the browser becomes a unit of its own: a child would be held to the daemon's limits, and die with it.
    private nonisolated static func start(
        _ arguments: [String], activationToken: ActivationToken?, environment: [String: String]
    ) throws(LaunchError) {
        // Of one use: what the daemon itself was started with is not the browser's.
        var environment = environment
        environment["XDG_ACTIVATION_TOKEN"] = activationToken?.text
        // Of a unit's other processes, a terminal's for one, the variable names another.
        guard environment["SYSTEMD_EXEC_PID"] == "\(getpid())" else {
            return try DetachedProgram.start(arguments, environment: environment, watchTime: watchTime)
        }
        try DetachedProgram.startAsUnit(
            arguments, description: "Sign-in page", variables: activationToken.map { ["XDG_ACTIVATION_TOKEN": $0.text] } ?? [:],
            watchTime: watchTime)
    }
}
