import PosternConfiguration
import PosternCore

/// Opens pages in the user's browser, as fast as ``PagePolicy`` allows.
@DaemonActor
final class PageOpener {
    private var policy = PagePolicy()
    private let launcher: any PageLaunching
    private let settings: Settings
    private let platform: Platform

    init(launcher: any PageLaunching, settings: Settings, platform: Platform) {
        self.launcher = launcher
        self.settings = settings
        self.platform = platform
    }

    /// - Parameters:
    ///   - question: the sign-in that the page is for; the browser may depend on it.
    ///   - activationToken: of the button whose press opens the page.
    ///   - url: called when it is the page's turn; returns nil if it is no longer wanted.
    ///   - done: called once, unless the page is no longer wanted.
    func open(
        for question: SignInQuestion, activationToken: String?, url: @escaping @Sendable @DaemonActor () -> String?,
        done: @escaping @Sendable @DaemonActor (_ problem: String?) -> Void
    ) {
        guard let address = url() else { return }
        let now = platform.now
        switch policy.pageWanted(providerID: question.providerID, now: now) {
        case .open:
            launch(address, for: question, activationToken: activationToken, done: done)
        case .wait(let moment):
            platform.timers.at(moment, now: now) { [weak self] in
                self?.open(for: question, activationToken: activationToken, url: url, done: done)
            }
        }
    }

    /// At once, in the browser that sign-ins of this kind use.
    func launch(
        _ url: String, for question: SignInQuestion, activationToken: String? = nil,
        done: @escaping @Sendable @DaemonActor (_ problem: String?) -> Void
    ) {
        launcher.launch(url, by: settings.browser(of: question), activationToken: activationToken, done: done)
    }
}

/// Opens a page as configured.
@DaemonActor
public protocol PageLaunching: AnyObject {
    /// - Parameters:
    ///   - activationToken: printable and short; for the browser's environment.
    ///   - done: called once, with why the page could not be opened; nil if it was.
    func launch(
        _ url: String, by browser: Configuration.Browser, activationToken: String?,
        done: @escaping @Sendable @DaemonActor (_ problem: String?) -> Void)
}
