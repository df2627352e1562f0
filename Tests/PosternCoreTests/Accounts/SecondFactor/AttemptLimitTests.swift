@testable import PosternCore
import Testing

@Suite struct AttemptLimitTests {
    private static let limit = AttemptLimit(burst: 3, seconds: 100)
    private static let start = Timestamp(seconds: 1_800_000_000)

    private static func after(_ seconds: Int64) -> Timestamp { start.adding(seconds: seconds) }

    /// One attempt at each of the moments.
    private static func attempts(at moments: [Int64]) -> Attempts? {
        moments.reduce(nil as Attempts?) { limit.adding(to: $0, now: after($1)) }
    }

    @Test(
        "Some at once, then one in a while",
        arguments: [
            ([], 0, nil), ([0, 0], 0, nil), ([0, 0, 0], 0, 100), ([0, 0, 0], 30, 70), ([0, 0, 0], 99, 1), ([0, 0, 0], 100, nil),
            ([0, 0, 0, 100], 100, 100), ([0, 0, 0, 100], 200, nil), ([0, 0, 0], 1000, nil), ([0, 90, 90], 90, 10),
            ([0, 0, 0, 0, 0], 0, 300), ([0, 0, 0, 1000, 1000], 1000, nil), ([0, 0, 0, 1000, 1000, 1000], 1000, 100),
        ] as [([Int64], Int64, Int64?)])
    func waiting(moments: [Int64], at: Int64, wait: Int64?) {
        #expect(Self.limit.wait(after: Self.attempts(at: moments), now: Self.after(at)) == wait)
    }

    @Test("Less than a second is a second, not none")
    func fractions() {
        let now = Timestamp(milliseconds: Self.after(99).milliseconds + 900)
        #expect(Self.limit.wait(after: Self.attempts(at: [0, 0, 0]), now: now) == 1)
    }

    @Test("A clock that was set back shuts out for no longer than a clock that goes right")
    func setBack() {
        let attempts = Self.attempts(at: [0, 0, 0])
        #expect(Self.limit.wait(after: attempts, now: Self.after(-1_000_000)) == 100)
    }

    @Test("Numbers from a file that was tampered with do no harm", arguments: [Int64.min, -1, 0, 1, .max] as [Int64], [Int64.min, 0, .max] as [Int64])
    func tampered(count: Int64, milliseconds: Int64) {
        let attempts = Attempts(count: count, since: Timestamp(milliseconds: milliseconds))
        _ = Self.limit.wait(after: attempts, now: Self.start)
        #expect(Self.limit.adding(to: attempts, now: Self.start).count > 0)
    }
}
