/// When a credential that nobody asks for is renewed, so that its refresh token does not expire from disuse.
public enum RenewalSchedule {
    /// Even if a provider names no expiry of a refresh token, it has one: seven days without use is the shortest that is common.
    static let longestPeriod: Int64 = 3 * 86_400
    /// A session of minutes is not worth a request every few of them.
    static let shortestPeriod: Int64 = 900
    /// After a transient failure; each further one doubles it.
    static let firstPause: Int64 = 900
    static let longestPause: Int64 = 6 * 3600

    /// - Parameter chance: 0 to 1, kept until the next renewal, so that a company's machines do not all ask in the same minute.
    /// - Returns: nil if nothing renews it.
    public static func due(_ grant: Grant, renewsItself: Bool, chance: Double) -> Timestamp? {
        let life: Int64?
        if grant.refreshToken != nil {
            life = grant.refreshTokenExpiresAt?.seconds(since: grant.refreshTokenSince ?? grant.obtainedAt)
        } else {
            guard renewsItself, let end = grant.expiresAt else { return nil }
            life = end.seconds(since: grant.obtainedAt)
        }
        let period = max(min(life.map { $0 / 2 } ?? longestPeriod, longestPeriod), shortestPeriod)
        return grant.obtainedAt.adding(seconds: period - Int64(Double(period) / 10 * min(max(chance, 0), 1)))
    }

    /// Seconds until the next attempt.
    ///
    /// - Parameter failures: in a row, including the last.
    public static func pause(failures: Int, chance: Double) -> Int64 {
        let pause = min(firstPause << Int64(min(max(failures, 1) - 1, 16)), longestPause)
        return pause + Int64(Double(pause) / 10 * min(max(chance, 0), 1))
    }
}
