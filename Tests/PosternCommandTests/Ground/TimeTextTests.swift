import Testing

@testable import TestDaemon
@testable import postern

@Suite("Times for the user")
struct TimeTextTests {
    /// 2026-11-22 at 12:00 in UTC, which is 13:00 in this zone.
    private static let times = TimeText(clock: .init(now: EpochTime("2026-11-22T12:00:00Z") ?? .init(seconds: 0), offset: { _ in 3600 }))

    @Test(
        "what is less than an hour away is told by its distance, all else by its day",
        arguments: [
            ("2026-11-22T12:00:00Z", "now"), ("2026-11-22T12:00:45Z", "in 45 s"), ("2026-11-22T12:01:29Z", "in 1 min"),
            ("2026-11-22T12:09:10Z", "in 9 min"), ("2026-11-22T12:59:29Z", "in 59 min"), ("2026-11-22T12:59:30Z", "today 13:59"),
            ("2026-11-22T11:59:59Z", "1 s ago"), ("2026-11-22T11:30:00Z", "30 min ago"), ("2026-11-22T11:00:00Z", "today 12:00"),
            ("2026-11-22T22:59:59Z", "today 23:59"), ("2026-11-22T23:00:00Z", "tomorrow 00:00"), ("2026-11-21T23:00:00Z", "today 00:00"),
            ("2026-11-21T22:59:59Z", "yesterday 23:59"), ("2026-11-24T08:00:00Z", "2026-11-24 09:00"),
            ("2025-12-31T23:30:00Z", "2026-01-01 00:30"), ("2026-11-22T12:09:10.25Z", "in 9 min"),
        ])
    func near(text: String, shown: String) {
        #expect(Self.times.near(text) == shown)
        #expect(TimeText.exact.near(text) == text)
    }

    @Test(
        "a date has its day even where it is near",
        arguments: [("2026-11-22T11:59:00Z", "today 12:59"), ("2026-11-20T06:24:00Z", "2026-11-20 07:24")])
    func date(text: String, shown: String) {
        #expect(Self.times.date(text) == shown)
        #expect(TimeText.exact.date(text) == text)
    }

    @Test(
        "a stamp has its seconds, and its date where it is another day's",
        arguments: [("2026-11-22T11:59:07Z", "12:59:07"), ("2026-11-21T06:24:00Z", "2026-11-21 07:24:00")])
    func stamp(text: String, shown: String) {
        #expect(Self.times.stamp(text) == shown)
        #expect(TimeText.exact.stamp(text) == text)
    }

    @Test(
        "the end of a wait has the time of day and how long that is",
        arguments: [
            ("2026-11-22T12:10:00Z", "13:10 (10 min)"), ("2026-11-22T13:10:00Z", "14:10"), ("2026-11-22T23:10:00Z", "tomorrow 00:10"),
            ("2026-11-22T11:00:00Z", "12:00"),
        ])
    func end(text: String, shown: String) {
        #expect(Self.times.end(text) == shown)
        #expect(TimeText.exact.end(text) == text)
    }

    @Test("what is not a time is shown as it is", arguments: ["", "soon", "2026-13-01T00:00:00Z", "9999-12-31T23:59:59Z"])
    func noTime(text: String) {
        #expect([Self.times.near(text), Self.times.date(text), Self.times.stamp(text), Self.times.end(text)] == [text, text, text, text])
    }

    @Test("each time has the offset of its own season")
    func seasons() throws {
        let change = try #require(EpochTime("2026-10-25T01:00:00Z"))
        let now = try #require(EpochTime("2026-10-24T12:00:00Z"))
        let times = TimeText(clock: .init(now: now, offset: { $0.seconds < change.seconds ? 7200 : 3600 }))
        #expect(times.date("2026-10-25T00:30:00Z") == "tomorrow 02:30")
        #expect(times.date("2026-10-25T01:30:00Z") == "tomorrow 02:30")
    }

    @Test(
        "a countdown has minutes and seconds, and hours where there are any",
        arguments: [
            ("2026-11-22T12:09:42Z", "9:42"), ("2026-11-22T12:00:05Z", "0:05"), ("2026-11-22T13:02:03Z", "1:02:03"),
            ("2026-11-22T12:00:00Z", nil), ("2026-11-21T12:00:00Z", nil), ("soon", nil),
        ])
    func countdown(end: String, shown: String?) throws {
        #expect(Countdown.text(until: end, now: try #require(EpochTime("2026-11-22T12:00:00Z"))) == shown)
    }
}
