/// Slows down guessing: a few wrong guesses cost nothing, because they may be typing mistakes; each further one doubles the pause.
public struct GuessPacing: Sendable, Equatable {
    /// Wrong guesses without a pause.
    public static let freeGuesses = 5
    private static let firstPause: Int64 = 2
    public static let longestPause: Int64 = 300

    private var wrong = 0
    private var lastAt: Int64 = 0

    public init() {}

    /// Seconds until the next guess is checked; 0 if it is checked at once.
    ///
    /// - Parameter uptime: in seconds, of a clock that nobody can set: a pause can be neither shortened nor lengthened.
    public func pauseSeconds(uptime: Int64) -> Int64 {
        guard wrong >= Self.freeGuesses else { return 0 }
        let doublings = min(wrong - Self.freeGuesses, 16)
        let pause = min(Self.firstPause << Int64(doublings), Self.longestPause)
        return max(0, pause - max(0, uptime - lastAt))
    }

    public mutating func wasWrong(uptime: Int64) {
        wrong += 1
        lastAt = uptime
    }

    public mutating func wasRight() { self = GuessPacing() }
}
