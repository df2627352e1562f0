/// When the daemon may open a page in the user's browser.
///
/// Tools that sign in in the background have filled screens with tabs; one page per provider in five seconds is what a
/// person can follow.
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
