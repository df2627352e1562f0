import Testing

@testable import PosternCore

/// When a credential is renewed that nobody asks for.
@Suite struct RenewalScheduleTests {
    private let day: Int64 = 86_400

    private func grant(refreshToken: String? = "rt", expiresIn: Int64? = 3600, refreshExpiresIn: Int64? = nil) -> Grant {
        var grant = Grant.sample(refreshToken: refreshToken, expiresIn: expiresIn)
        grant.refreshTokenExpiresAt = refreshExpiresIn.map { now.adding(seconds: $0) }
        return grant
    }

    private func due(_ grant: Grant, renewsItself: Bool = false, chance: Double = 0) -> Int64? {
        RenewalSchedule.due(grant, renewsItself: renewsItself, chance: chance)?.seconds(since: now)
    }

    @Test("Every three days where no end is named, half its life where that is less, and no more than every quarter of an hour")
    func periods() {
        #expect(due(grant()) == 3 * day)
        #expect(due(grant(refreshExpiresIn: 90 * day)) == 3 * day)
        #expect(due(grant(refreshExpiresIn: 2 * day)) == day)
        #expect(due(grant(refreshExpiresIn: 1800)) == 900)
        #expect(due(grant(refreshExpiresIn: 60)) == 900)
        #expect(due(grant(refreshExpiresIn: -5)) == 900)
    }

    @Test("An access token alone only where it renews itself")
    func alone() {
        #expect(due(grant(refreshToken: nil)) == nil)
        #expect(due(grant(refreshToken: nil, expiresIn: nil), renewsItself: true) == nil)
        #expect(due(grant(refreshToken: nil, expiresIn: 60 * day), renewsItself: true) == 3 * day)
    }

    @Test("Chance makes it a tenth earlier at most", arguments: [(0.0, 0.0), (0.5, 0.05), (1.0, 0.1), (-3.0, 0.0), (7.0, 0.1)])
    func jitter(_ chance: Double, _ part: Double) {
        #expect(due(grant(), chance: chance) == 3 * day - Int64(Double(3 * day) * part))
    }

    @Test("Pauses after failures double, up to six hours")
    func pauses() {
        #expect((1...7).map { RenewalSchedule.pause(failures: $0, chance: 0) } == [900, 1800, 3600, 7200, 14_400, 21_600, 21_600])
        #expect(RenewalSchedule.pause(failures: .max, chance: 1) == 23_760)
        #expect(RenewalSchedule.pause(failures: .min, chance: 0) == 900)
    }
}
