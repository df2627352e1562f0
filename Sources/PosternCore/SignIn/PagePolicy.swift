/// When the daemon may open a page in the user's browser.
///
/// Tools that sign in in the background have filled screens with tabs; one page per provider in five seconds is what a person can follow.
///
/// An opening that failed has most likely shown no page: the next one may be tried a second later, so that the user does not wait once the
/// browser works again. The pause doubles with each further failure in a row, up to that of a page. So a program that asks in a loop does
/// not start browsers any faster than that, and does not fill the screen even if the browser shows its pages and still ends with an error.
public struct PagePolicy: Sendable {
    public static let secondsBetweenPages: Int64 = 5
    static let secondsAfterFailure: Int64 = 1

    public enum Decision: Sendable, Equatable {
        /// It counts as opened; ``pageFailed(_:)`` if it could not be.
        case open(Opening)
        /// Call again then.
        case wait(seconds: Int64)
    }

    /// A page that may be opened now.
    public struct Opening: Sendable, Equatable {
        fileprivate let providerID: String
        fileprivate let number: UInt64
    }

    private struct Last: Sendable {
        var number: UInt64
        var uptime: Int64
        var pause = PagePolicy.secondsBetweenPages
        /// In a row, before this one.
        var failures = 0
        var isFailed = false
    }

    private var last: [String: Last] = [:]
    private var count: UInt64 = 0

    public init() {}

    /// A page is wanted.
    ///
    /// - Parameter uptime: in seconds, of a clock that nobody can set: a pause is neither cut short nor lengthened.
    public mutating func pageWanted(providerID: String, uptime: Int64) -> Decision {
        let before = last[providerID]
        if let before {
            let seconds = before.uptime + before.pause - uptime
            if seconds > 0 { return .wait(seconds: seconds) }
        }
        count += 1
        let failures = before.map { $0.isFailed ? $0.failures + 1 : 0 } ?? 0
        last[providerID] = Last(number: count, uptime: uptime, failures: failures)
        return .open(Opening(providerID: providerID, number: count))
    }

    /// The page could not be opened. Has no effect if another page was opened in the meantime.
    public mutating func pageFailed(_ opening: Opening) {
        guard var failed = last[opening.providerID], failed.number == opening.number, !failed.isFailed else { return }
        failed.isFailed = true
        failed.pause = min(Self.secondsAfterFailure << Int64(min(failed.failures, 8)), Self.secondsBetweenPages)
        last[opening.providerID] = failed
    }
}
