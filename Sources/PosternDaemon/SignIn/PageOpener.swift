import NIOCore
import PosternConfiguration
import PosternCore

/// Opens pages in the person's browser, at the pace that ``PagePolicy`` allows.
@DaemonActor
final class PageOpener {
    /// Starts the browser; the callback tells why that was not possible.
    typealias Launch =
        @DaemonActor (
            _ url: String, _ question: SignInQuestion, _ done: @escaping @DaemonActor (_ problem: String?) -> Void
        ) -> Void

    private var policy = PagePolicy()
    private let launch: Launch

    init(launch: @escaping Launch) { self.launch = launch }

    /// - Parameters:
    ///   - question: whose page it is; the browser may depend on it.
    ///   - url: asked for when the page's turn has come; nil where it is not wanted any more.
    ///   - done: called once, unless the page is not wanted any more.
    func open(
        for question: SignInQuestion, url: @escaping @DaemonActor () -> String?,
        done: @escaping @DaemonActor (_ problem: String?) -> Void
    ) {
        guard let address = url() else { return }
        let now = WallClock.now
        switch policy.pageWanted(providerID: question.providerID, now: now) {
        case .open:
            launch(address, question, done)
        case .wait(let moment):
            let delay = TimeAmount.milliseconds(max(1, moment.milliseconds - now.milliseconds))
            DaemonActor.shared.eventLoop.scheduleTask(in: delay) { [weak self] in
                DaemonActor.assumeIsolated { self?.open(for: question, url: url, done: done) }
            }
        }
    }
}
