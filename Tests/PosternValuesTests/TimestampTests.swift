import PosternValues
import Testing

@Suite struct TimestampTests {
    @Test(
        "A moment is written as RFC 3339 in UTC",
        arguments: [
            (0, "1970-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_800_000_000, "2027-01-15T08:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
            (-62_135_596_800, "0001-01-01T00:00:00Z"),
        ] as [(Int64, String)])
    func description(seconds: Int64, text: String) {
        #expect(Timestamp(seconds: seconds).description == text)
    }

    @Test("Parts of a second are dropped from the text, before 1970 too")
    func fractions() {
        #expect(Timestamp(milliseconds: 1999).description == "1970-01-01T00:00:01Z")
        #expect(Timestamp(milliseconds: -1).description == "1969-12-31T23:59:59Z")
        #expect(Timestamp(milliseconds: -1).seconds == -1)
    }

    @Test("No lifetime that a provider names overflows", arguments: [Int64.max, .min, 9_007_199_254_740_993, -9_007_199_254_740_993])
    func clamping(seconds: Int64) {
        let moment = Timestamp(seconds: 1_800_000_000).adding(seconds: seconds)
        #expect(moment.description == (seconds > 0 ? "9999-12-31T23:59:59Z" : "0001-01-01T00:00:00Z"))
        #expect(Timestamp(seconds: seconds).description == moment.description)
    }

    @Test("Adding keeps the part of a second")
    func adding() {
        #expect(Timestamp(milliseconds: 1500).adding(seconds: 60) == Timestamp(milliseconds: 61_500))
        #expect(Timestamp(milliseconds: -500).adding(seconds: -1) == Timestamp(milliseconds: -1500))
    }

    @Test("Moments are ordered, and their distance is in whole seconds")
    func order() {
        #expect(Timestamp(milliseconds: 1) < Timestamp(milliseconds: 2))
        #expect(Timestamp(seconds: 100).seconds(since: Timestamp(seconds: 40)) == 60)
        #expect(Timestamp(seconds: 40).seconds(since: Timestamp(seconds: 100)) == -60)
        #expect(Timestamp(milliseconds: 999).seconds(since: Timestamp(milliseconds: 0)) == 0)
    }

    @Test("The distance is rounded down, as its documentation says")
    func distanceRoundsDown() {
        #expect(Timestamp(milliseconds: 0).seconds(since: Timestamp(milliseconds: 999)) == -1)
    }

    @Test("Any 64 bits are a moment, as what a store gives back may be any", arguments: [Int64.min, .min + 999, .max])
    func extremes(milliseconds: Int64) {
        let moment = Timestamp(milliseconds: milliseconds)
        #expect(!moment.description.isEmpty)
        _ = moment.adding(seconds: .max)
        _ = moment.adding(seconds: .min)
        #expect(moment.seconds(since: Timestamp(milliseconds: .max)) <= 0)
        #expect(moment.seconds(since: Timestamp(milliseconds: .min)) >= 0)
    }
}
