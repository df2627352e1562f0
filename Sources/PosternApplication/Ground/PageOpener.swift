import PosternConfiguration
import PosternCore

/// Opens pages in the user's browser, as fast as ``PagePolicy`` allows.
@DaemonActor
final class PageOpener {
    /// A page that waits for its turn.
    private struct Page {
        var request: SignInRequest
        var activationToken: String?
        var url: @Sendable @DaemonActor () -> String?
        var done: @Sendable @DaemonActor (_ problem: String?) -> Void
    }

    /// The pages of one provider, in the order in which they were wanted.
    private struct Queue {
        var pages: [Page] = []
        var timer: (any PendingTimer)?
    }

    private var policy = PagePolicy()
    /// By provider.
    private var queues: [String: Queue] = [:]
    private let launcher: any PageLaunching
    private let settings: Settings
    private let platform: Platform

    init(launcher: any PageLaunching, settings: Settings, platform: Platform) {
        self.launcher = launcher
        self.settings = settings
        self.platform = platform
    }

    /// - Parameters:
    ///   - request: the sign-in that the page is for; the browser may depend on it.
    ///   - activationToken: of the button whose press opens the page.
    ///   - url: called when it is the page's turn; returns nil if it is no longer wanted.
    ///   - done: called once, unless the page is no longer wanted.
    func open(
        for request: SignInRequest, activationToken: String?, url: @escaping @Sendable @DaemonActor () -> String?,
        done: @escaping @Sendable @DaemonActor (_ problem: String?) -> Void
    ) {
        queues[request.providerID, default: Queue()].pages.append(
            Page(request: request, activationToken: activationToken, url: url, done: done))
        openNext(request.providerID)
    }

    /// Opens the next page, as soon as that is allowed.
    private func openNext(_ providerID: String) {
        queues[providerID]?.timer?.cancel()
        while let page = queues[providerID]?.pages.first {
            guard let address = page.url() else {
                queues[providerID]?.pages.removeFirst()
                continue
            }
            switch policy.pageWanted(providerID: providerID, uptime: platform.clock.uptime) {
            case .open(let opening):
                queues[providerID]?.pages.removeFirst()
                launch(address, for: page.request, activationToken: page.activationToken) { problem in
                    if problem != nil { self.policy.pageFailed(opening) }
                    page.done(problem)
                    // After a failure the next page may be opened sooner.
                    self.openNext(providerID)
                }
            case .wait(let seconds):
                queues[providerID]?.timer?.cancel()
                queues[providerID]?.timer = platform.timers.after(milliseconds: seconds * 1000) { [weak self] in
                    self?.openNext(providerID)
                }
                return
            }
        }
        queues[providerID] = nil
    }

    /// At once, in the browser that sign-ins of this kind use.
    func launch(
        _ url: String, for request: SignInRequest, activationToken: String? = nil,
        done: @escaping @Sendable @DaemonActor (_ problem: String?) -> Void
    ) {
        launcher.launch(url, by: settings.browser(of: request), activationToken: activationToken, done: done)
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
