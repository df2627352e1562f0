import PosternCore
import Testing

@testable import PosternApplication

@Suite("The pause after a Firebase project could not be reached", .serialized)
struct TokenRenewalTests {
    private let daemon: TestApplication
    private let renewal: TokenRenewal

    init() throws {
        let daemon = try TestApplication()
        renewal = daemon.executor.isolated { TokenRenewal(platform: daemon.application.ground.platform) }
        self.daemon = daemon
    }

    private var pause: Int64? { daemon.executor.isolated { renewal.pause(of: "a") } }

    private func fail(retryAfterSeconds: Int64? = nil) {
        daemon.executor.isolated { renewal.failed("a", retryAfterSeconds: retryAfterSeconds) }
    }

    @Test("becomes longer with each failure, up to a minute, and is over with it")
    func longer() {
        for seconds: Int64 in [1, 2, 4, 8, 16, 32, 60, 60] {
            #expect(pause == nil)
            fail()
            #expect(pause == seconds)
            daemon.clock.advance(milliseconds: seconds * 1000)
        }
    }

    @Test("is as long as it was, however the clock is set", arguments: [36_000, -36_000])
    func clockSet(by seconds: Int64) {
        fail(retryAfterSeconds: 30)
        daemon.clock.set(now: daemon.clock.now.adding(seconds: seconds))
        #expect(pause == 30)
        daemon.clock.advance(milliseconds: 30_000)
        #expect(pause == nil)
    }

    @Test("is a day at most, whatever the project asks for", arguments: [Int64.max, .min, -1, 86_401])
    func wish(seconds: Int64) {
        fail(retryAfterSeconds: seconds)
        #expect(pause == (seconds > 0 ? 86_400 : nil))
    }
}
