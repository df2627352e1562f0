import Testing

@testable import postern

@Suite("Durations")
struct DurationTextTests {
    @Test("seconds, minutes and hours are understood", arguments: [("90s", 90), ("10m", 600), ("1h", 3600), ("0s", 0)])
    func understood(text: String, seconds: Int) {
        #expect(DurationText(text)?.seconds == seconds)
    }

    @Test("anything else is refused", arguments: ["", "s", "10", "10d", "-1s", "+1s", "1.5h", "1 m", "１s", "999999s", "10ms"])
    func refused(text: String) {
        #expect(DurationText(text) == nil)
    }
}
