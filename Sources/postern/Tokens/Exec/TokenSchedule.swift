/// When the token in a file is replaced. Times are in seconds since 1970.
enum TokenSchedule {
    /// How long a program that has read the file can still use its token.
    static let margin: Int64 = 300
    /// The least time between two requests, whatever the replies.
    static let shortestPause: Int64 = 5
    /// A token that does not expire may still be replaced, by a new sign-in.
    static let pauseWithoutEnd: Int64 = 600
    /// After a failure.
    static let pauseAfterFailure: Int64 = 30

    /// Before the token expires; at half its remaining time if that is short.
    static func renewal(expiresAt: Int64?, now: Int64) -> Int64 {
        guard let expiresAt else { return now + pauseWithoutEnd }
        let left = max(0, expiresAt - now)
        return max(now + shortestPause, expiresAt - min(margin, left / 2))
    }

    /// How long the next token must be valid: longer than the one in the file.
    static func validity(expiresAt: Int64?, now: Int64) -> Int {
        Int(clamping: max(60, (expiresAt ?? 0) - now + 1))
    }
}
