import Testing

@testable import PosternCore

@Suite("Asking whether a code was typed")
struct DevicePollingTests {
    private static func polling(interval: Int64 = 5, life: Int64 = 900) -> DevicePolling {
        DevicePolling(
            DeviceAuthorization(
                deviceCode: Secret("d"), userCode: "A", verificationURI: "https://as.example/go", expiresAt: now.adding(seconds: life),
                intervalSeconds: interval))
    }

    private static let failure = ProviderFailure.exchangeFailed(error: nil, description: nil, message: "x")

    /// Seconds from one question to the next, with each of the answers given at once.
    private static func pauses(after answers: [DeviceAnswer], interval: Int64 = 5, life: Int64 = 100_000) -> [Int64] {
        var polling = polling(interval: interval, life: life)
        var moment = now
        return answers.map { answer in
            guard case .ask(let next) = polling.answered(answer, now: moment) else { return -1 }
            defer { moment = next }
            return next.seconds(since: moment)
        }
    }

    @Test("the first question waits for an interval, unless the code is over")
    func first() {
        #expect(Self.polling().begun(now: now) == .ask(at: now.adding(seconds: 5)))
        #expect(Self.polling(life: 0).begun(now: now) == .expired)
    }

    @Test(
        "pauses",
        arguments: [
            // Pending keeps them as they are.
            ([.pending, .pending], [5, 5]),
            // RFC 8628: five seconds more, for this and all further questions.
            ([.slowDown(intervalSeconds: nil), .pending, .slowDown(intervalSeconds: nil), .pending], [10, 10, 15, 15]),
            // GitHub: as it says; one that is no longer slows nothing down.
            ([.slowDown(intervalSeconds: 10), .pending], [10, 10]),
            ([.slowDown(intervalSeconds: 5), .pending], [10, 10]),
            ([.slowDown(intervalSeconds: .max), .pending], [300, 300]),
            // Twice as long with each answer that is missing, up to a minute; an answer ends that.
            (Array(repeating: .unavailable(retryAfterSeconds: nil), count: 6), [10, 20, 40, 60, 60, 60]),
            ([.unavailable(retryAfterSeconds: nil), .pending, .unavailable(retryAfterSeconds: nil)], [10, 5, 10]),
            ([.unavailable(retryAfterSeconds: 120), .unavailable(retryAfterSeconds: 1)], [120, 20]),
            ([.unreadable(failure), .unreadable(failure), .pending, .unreadable(failure)], [10, 20, 5, 10]),
        ] as [([DeviceAnswer], [Int64])])
    func pauses(answers: [DeviceAnswer], expected: [Int64]) {
        #expect(Self.pauses(after: answers) == expected)
    }

    @Test("a long interval is never cut short by a network that is gone")
    func longInterval() {
        #expect(Self.pauses(after: [.unavailable(retryAfterSeconds: nil)], interval: 90) == [90])
    }

    @Test(
        "ends",
        arguments: [
            (.expired, .expired),
            (.denied(error: "access_denied", description: "no"), .ended(.denied(error: "access_denied", description: "no"))),
            (.failed(failure), .ended(failure)),
            (.granted(.sample()), .granted(.sample())),
        ] as [(DeviceAnswer, DevicePolling.Action)])
    func ends(answer: DeviceAnswer, action: DevicePolling.Action) {
        var polling = Self.polling()
        #expect(polling.answered(answer, now: now) == action)
    }

    @Test("something that answers in the provider's place again and again is no accident")
    func unreadable() {
        var polling = Self.polling()
        for _ in 0..<4 {
            guard case .ask = polling.answered(.unreadable(Self.failure), now: now) else {
                Issue.record("ended too early")
                return
            }
        }
        #expect(polling.answered(.unreadable(Self.failure), now: now) == .ended(Self.failure))
    }

    @Test("the network may be gone for as long as the code is good, and one question comes after its end")
    func outage() {
        var polling = Self.polling(life: 100)
        var moment = now
        var requests = 0
        while case .ask(let next) = polling.answered(.unavailable(retryAfterSeconds: nil), now: moment) {
            moment = next
            requests += 1
        }
        // After 10, 30, 70 and at the end.
        #expect(requests == 4 && moment == now.adding(seconds: 100))
    }

    @Test("the interval is kept also where the code ends before")
    func lastQuestion() {
        var polling = Self.polling(life: 7)
        #expect(polling.answered(.pending, now: now.adding(seconds: 5)) == .ask(at: now.adding(seconds: 10)))
        #expect(polling.answered(.pending, now: now.adding(seconds: 10)) == .expired)
        var slow = Self.polling(life: 7)
        #expect(slow.answered(.unavailable(retryAfterSeconds: 3600), now: now) == .ask(at: now.adding(seconds: 7)))
    }
}
