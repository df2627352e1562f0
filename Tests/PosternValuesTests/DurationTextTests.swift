import PosternValues
import Testing

@Suite("Durations")
struct DurationTextTests {
    @Test(
        "are a whole number of seconds, minutes, hours or days",
        arguments: [
            ("90s", 90, "90s"), ("10m", 600, "10m"), ("1h", 3600, "1h"), ("0s", 0, "0s"), ("0d", 0, "0s"), ("007s", 7, "7s"), ("1d", 86_400, "1d"), ("24h", 86_400, "1d"),
            ("120m", 7200, "2h"), ("61m", 3660, "61m"), ("999999999d", 86_399_999_913_600, "999999999d"),
        ])
    func understood(text: String, seconds: Int, written: String) {
        #expect(DurationText(text)?.seconds == seconds)
        #expect("\(DurationText(seconds: seconds))" == written)
    }

    @Test(
        "are nothing else",
        arguments: ["", "s", "d", "10", "-1s", "+1s", "1.5h", "1 m", "１s", "10ms", "1w", "1D", "9999999999s", "1s\u{301}", "1\u{301}s", "\u{301}s"])
    func refused(text: String) { #expect(DurationText(text) == nil) }
}
