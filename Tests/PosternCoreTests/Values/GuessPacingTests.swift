import PosternCore
import Testing

@Suite struct GuessPacingTests {
    static let now = Timestamp(seconds: 1_800_000_000)

    @Test(
        "After so many wrong guesses the pause is so many seconds",
        arguments: [(0, 0), (4, 0), (5, 2), (6, 4), (7, 8), (11, 128), (12, 256), (13, 300), (500, 300)] as [(Int, Int64)])
    func pauses(wrong: Int, pause: Int64) {
        var pacing = GuessPacing()
        for _ in 0..<wrong { pacing.wasWrong(now: Self.now) }
        #expect(pacing.pauseSeconds(now: Self.now) == pause)
        #expect(pacing.pauseSeconds(now: Self.now.adding(seconds: pause)) == 0)
        #expect(pacing.pauseSeconds(now: Self.now.adding(seconds: -1000)) == pause)
        pacing.wasRight()
        #expect(pacing.pauseSeconds(now: Self.now) == 0)
    }
}
