import PosternCore
import Testing

@Suite struct GuessPacingTests {
    @Test(
        "After so many wrong guesses the pause is so many seconds",
        arguments: [(0, 0), (4, 0), (5, 2), (6, 4), (7, 8), (11, 128), (12, 256), (13, 300), (500, 300)] as [(Int, Int64)])
    func pauses(wrong: Int, pause: Int64) {
        var pacing = GuessPacing()
        for _ in 0..<wrong { pacing.wasWrong(uptime: 1000) }
        #expect(pacing.pauseSeconds(uptime: 1000) == pause)
        #expect(pacing.pauseSeconds(uptime: 1000 + pause) == 0)
        pacing.wasRight()
        #expect(pacing.pauseSeconds(uptime: 1000) == 0)
    }
}
