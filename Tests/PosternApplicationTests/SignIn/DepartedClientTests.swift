import PosternApplication
import PosternCore
import StrictJSON
import Testing

@Suite("What a client left behind")
struct DepartedClientTests {
    /// Asks, and goes after so many steps of the daemon; then everything else happens.
    private func ask(_ daemon: TestApplication, oneway: Bool = false, stepsBeforeGoing steps: Int) {
        let reply = daemon.call("SignInAnonymously", oneway: oneway, settling: false)
        for _ in 0..<steps { daemon.executor.step() }
        daemon.executor.isolated { reply.leave() }
        daemon.settle()
    }

    private func users(_ daemon: TestApplication) -> Int64? { daemon.call("GetStatus")["users"]?.integerValue }

    @Test("is dropped before its first step, and while it waits for the store")
    func dropped() throws {
        let daemon = try TestApplication()
        var steps = 0
        // The longer the client stays, the further its work gets; the last of these is the store's own turn, which it does not see begin.
        while steps < 100 {
            ask(daemon, stepsBeforeGoing: steps)
            guard users(daemon) == 0 else { break }
            steps += 1
        }
        #expect((2..<100).contains(steps))
        // From its beginning in the store on it is finished, with all that belongs to it.
        #expect(users(daemon) == 1)
        #expect(daemon.call("GetCurrentUser")["user"] != nil)
        #expect(daemon.log.entries.allSatisfy { $0.level != .error })
    }

    @Test("is carried out where the client wanted no reply")
    func oneway() throws {
        let daemon = try TestApplication()
        ask(daemon, oneway: true, stepsBeforeGoing: 0)
        #expect(users(daemon) == 1)
    }
}

@Suite("Anonymous users without bound")
struct AnonymousUserTests {
    @Test("256 apps have one; the next gets one when another app is signed out")
    func bound() throws {
        let daemon = try TestApplication()
        for number in 0..<256 { #expect(daemon.call("SignInAnonymously", ["app": .string("app-\(number)")]).isFinished) }
        let refused = daemon.call("SignInAnonymously", ["app": "one-more"])
        #expect(refused.errorName == "TooManyAttempts")
        #expect(refused.error?.message.contains("256 apps") == true)
        // Who has one already has it still.
        #expect(daemon.call("SignInAnonymously", ["app": "app-0"]).error == nil)
        daemon.call("SignOut", ["app": "app-7"])
        #expect(daemon.call("SignInAnonymously", ["app": "one-more"]).error == nil)
    }
}
