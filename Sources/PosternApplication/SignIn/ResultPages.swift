/// Browsers whose result page waits for the outcome.
@DaemonActor
final class ResultPages {
    /// If a page is loaded again and again, the list must not grow without limit.
    private static let mostWaiting = 16

    @DaemonActor
    private final class Browser {
        let room = WaitingRoom<Void>()
        var isAwake = false

        func wake() {
            isAwake = true
            room.release(with: ())
        }
    }

    private var waiting: [String: [Browser]] = [:]
    private let timers: any Timers

    init(timers: any Timers) { self.timers = timers }

    /// Returns when the outcome is known, or after this time.
    func wait(for sessionID: String, within milliseconds: Int64) async {
        guard waiting[sessionID, default: []].count < Self.mostWaiting else { return }
        let browser = Browser()
        waiting[sessionID, default: []].append(browser)
        let timeout = timers.after(milliseconds: milliseconds) { [weak self] in
            self?.gaveUp(browser, on: sessionID)
        }
        _ = await browser.room.wait(while: { !browser.isAwake })
        timeout.cancel()
    }

    private func gaveUp(_ browser: Browser, on sessionID: String) {
        waiting[sessionID]?.removeAll { $0 === browser }
        if waiting[sessionID]?.isEmpty == true { waiting[sessionID] = nil }
        browser.wake()
    }

    func wake(of sessionID: String) {
        for browser in waiting.removeValue(forKey: sessionID) ?? [] { browser.wake() }
    }
}
