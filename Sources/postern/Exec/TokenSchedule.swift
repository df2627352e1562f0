/// When a token in a file is replaced. Times are seconds since 1970.
enum TokenSchedule {
    /// Whoever has read the file has this long to use what was in it.
    static let margin: Int64 = 300
    /// Between two questions, whatever the answers say.
    static let shortestPause: Int64 = 5
    /// A token without an end may be replaced anyway, by a new sign-in.
    static let pauseWithoutEnd: Int64 = 600
    /// After a failure.
    static let pauseAfterFailure: Int64 = 30

    /// Before the token ends; at half its time if that is short.
    static func renewal(expiresAt: Int64?, now: Int64) -> Int64 {
        guard let expiresAt else { return now + pauseWithoutEnd }
        let left = max(0, expiresAt - now)
        return max(now + shortestPause, expiresAt - min(margin, left / 2))
    }

    /// How long the next token must be valid for: longer than the one in the file.
    static func validity(expiresAt: Int64?, now: Int64) -> Int {
        Int(clamping: max(60, (expiresAt ?? 0) - now + 1))
    }
}
