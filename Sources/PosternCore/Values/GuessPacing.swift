/// Slows down guessing: a few wrong guesses cost nothing, because they may be typing mistakes; each further one doubles the pause.
public struct GuessPacing: Sendable, Equatable {
    /// Wrong guesses without a pause.
    public static let freeGuesses = 5
    private static let firstPause: Int64 = 2
    public static let longestPause: Int64 = 300

    private var wrong = 0
    private var lastAt = Timestamp(milliseconds: 0)

    public init() {}

    /// Seconds until the next guess is checked; 0 if it is checked at once.
    ///
    /// A clock that was set back does not shorten a pause.
    public func pauseSeconds(now: Timestamp) -> Int64 {
        guard wrong >= Self.freeGuesses else { return 0 }
        let doublings = min(wrong - Self.freeGuesses, 16)
        let pause = min(Self.firstPause << Int64(doublings), Self.longestPause)
        return max(0, min(pause, pause - max(0, now.seconds(since: lastAt))))
    }

    public mutating func wasWrong(now: Timestamp) {
        wrong += 1
        lastAt = now
    }

    public mutating func wasRight() { self = GuessPacing() }
}
