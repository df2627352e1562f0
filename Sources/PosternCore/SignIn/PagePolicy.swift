/// When the daemon may open a page in the user's browser.
///
/// Tools that sign in in the background have filled screens with tabs; one page per provider in five seconds is what a person can follow.
///
/// An opening that failed has most likely shown no page: the next one may be tried a second later, so that nobody waits once the browser is
/// mended. The pause doubles with each further failure in a row, up to that of a page. So a program that asks in a loop does not start
/// browsers any faster than that, and does not fill the screen even if the browser shows its pages and still ends with an error.
public struct PagePolicy: Sendable {
    public static let secondsBetweenPages: Int64 = 5

    public enum Decision: Sendable, Equatable {
        case open
        /// Ask again then.
        case wait(until: Timestamp)
    }

    private var lastOpened: [String: Timestamp] = [:]

    public init() {}

    /// A page is wanted. On `open` it counts as opened.
    public mutating func pageWanted(providerID: String, now: Timestamp) -> Decision {
        if let last = lastOpened[providerID], last <= now {
            let next = last.adding(seconds: Self.secondsBetweenPages)
            if next > now { return .wait(until: next) }
        }
        // A clock that was set back must not keep pages shut: a moment in the future counts as never.
        lastOpened[providerID] = now
        return .open
    }
}
