import Glibc
import PosternApplication
import PosternConfiguration
import PosternSystemd

/// Opens a page as configured, away from the daemon's loop: D-Bus and programs may be slow.
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
            do throws(LaunchError) {
                try await BlockingWork.run(orThrow: { LaunchError($0.description) }) { () throws(LaunchError) in
                    switch browser {
                    case .none: throw LaunchError("browser is \"none\"")
                    case .portal: try OpenURIPortal.open(url, activationToken: token, helper: Self.portalHelper, environment: environment)
                    case .command(let command): try Self.start(command + [url], activationToken: token, environment: environment)
                    }
                }
                done(nil)
            } catch {
                done(error.description)
            }
        }
    }

    /// This program, whatever has become of its file since the start; it runs ``Daemon/openWithPortal()``.
    private nonisolated static let portalHelper = ["/proc/self/exe", "--open-with-portal"]

    /// How many milliseconds a browser, or the program that finds one, is watched for failure: xdg-open exits with status 3 if there is
    /// none.
    private nonisolated static let watchTime: Int32 = 2000

    /// With a service manager the browser gets its own unit: a child would be subject to the daemon's limits, and die with it.
    private nonisolated static func start(
        _ arguments: [String], activationToken: ActivationToken?, environment: [String: String]
    ) throws(LaunchError) {
        // In a unit's other processes, for example in a terminal, the variable has another process's number.
        let isUnit = environment["SYSTEMD_EXEC_PID"] == "\(getpid())"
        // Among them a token that is valid only once, with which the daemon was started.
        var environment = environment.filter { !ServiceVariables.notForOthers.contains($0.key) }
        environment["XDG_ACTIVATION_TOKEN"] = activationToken?.text
        guard isUnit else {
            return try DetachedProgram.start(arguments, environment: environment, watchTime: watchTime)
        }
        try DetachedProgram.startAsUnit(
            arguments, description: "Sign-in page", variables: activationToken.map { ["XDG_ACTIVATION_TOKEN": $0.text] } ?? [:],
            watchTime: watchTime)
    }
}
