/// Limits reports of the same problem to one per interval, instead of one for each connection.
package struct RareWarnings {
    /// In nanoseconds: an hour.
    private static let interval: UInt64 = 3_600_000_000_000

    private var next: UInt64 = 0

    package init() {}

    /// - Parameter now: of a monotonic clock.
    package mutating func isDue(at now: UInt64) -> Bool {
        guard now >= next else { return false }
        next = now + Self.interval
        return true
    }
}
