/// Notices that the wall clock was set, by an uptime that nobody can set.
public struct ClockWatch: Sendable {
    /// In milliseconds. An uptime in whole seconds is up to one of them late, and clocks are corrected a little all the time.
    static let tolerance: Int64 = 2000

    /// Milliseconds from the uptime to the wall clock, as it was set last.
    private var difference: Int64

    /// - Parameter uptime: in seconds.
    public init(now: Timestamp, uptime: Int64) { difference = Self.difference(now, uptime) }

    /// - Returns: how many milliseconds the clock was set forward since it was looked at last, or less than 0 if back; 0 if it was not set.
    public mutating func looked(now: Timestamp, uptime: Int64) -> Int64 {
        let difference = Self.difference(now, uptime)
        let step = difference - self.difference
        guard abs(step) > Self.tolerance else { return 0 }
        self.difference = difference
        return step
    }

    /// Both clamped to moments that have a date: no arithmetic overflows.
    private static func difference(_ now: Timestamp, _ uptime: Int64) -> Int64 {
        now.adding(milliseconds: 0).milliseconds - Timestamp(seconds: uptime).milliseconds
    }
}
