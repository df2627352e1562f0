import PosternCore
import StrictJSON
import Testing

@Suite("Unlocking the store")
struct UnlockTests {
    private static let passphrase = "correct horse, battery staple"

    private func unlock(_ daemon: TestApplication, _ passphrase: String? = UnlockTests.passphrase) -> String? {
        let reply = daemon.call("Unlock", passphrase.map { ["passphrase": .string($0)] } ?? [:])
        #expect(reply.isFinished)
        return reply.errorName
    }

    private func isLocked(_ daemon: TestApplication) -> Bool? { daemon.call("GetStatus")["locked"]?.boolValue }

    @Test("a store that is open checks the passphrase, and stays open")
    func checked() throws {
        let daemon = try TestApplication(key: .passphrase)
        #expect(unlock(daemon) == nil)
        let told = daemon.call("Monitor", more: true)
        #expect(unlock(daemon) == nil)
        #expect(unlock(daemon, "correct horse, battery stable") == "WrongPassword")
        #expect(unlock(daemon, nil) == nil)
        #expect(isLocked(daemon) == false)
        #expect(told.replies.isEmpty)
        daemon.call("Lock")
        #expect(unlock(daemon, nil) == "InvalidParameter", "now it is needed")
    }

    @Test("guesses at an open store and at a locked one are counted together")
    func paced() throws {
        let daemon = try TestApplication(key: .passphrase)
        #expect(unlock(daemon) == nil)
        for _ in 0..<3 { #expect(unlock(daemon, "wrong passphrase") == "WrongPassword") }
        daemon.call("Lock")
        for _ in 0..<2 { #expect(unlock(daemon, "wrong passphrase") == "WrongPassword") }
        #expect(unlock(daemon) == "TooManyAttempts")
        daemon.pass(seconds: 2)
        #expect(unlock(daemon) == nil)
        // The count starts again.
        for _ in 0..<5 { #expect(unlock(daemon, "wrong passphrase") == "WrongPassword") }
        #expect(unlock(daemon) == "TooManyAttempts")
        #expect(unlock(daemon, nil) == nil, "no guess")
        #expect(isLocked(daemon) == false)
    }

    @Test("the pause after wrong guesses is as long as ever where the clock is set meanwhile", arguments: [-28_800, 28_800] as [Int64])
    func clockSet(by seconds: Int64) throws {
        let daemon = try TestApplication(key: .passphrase)
        #expect(unlock(daemon) == nil)
        for _ in 0..<5 { #expect(unlock(daemon, "wrong passphrase") == "WrongPassword") }
        daemon.clock.set(now: daemon.clock.now.adding(seconds: seconds))
        #expect(unlock(daemon) == "TooManyAttempts")
        daemon.pass(seconds: 2)
        #expect(unlock(daemon) == nil)
    }

    @Test("a passphrase for a store that has none is an invalid parameter, locked or open, and no guess", arguments: [false, true])
    func unwanted(isLocked: Bool) throws {
        let daemon = try TestApplication()
        if isLocked { daemon.call("Lock") }
        for _ in 0..<7 { #expect(unlock(daemon) == "InvalidParameter") }
        #expect(self.isLocked(daemon) == isLocked)
        #expect(unlock(daemon, nil) == nil)
        #expect(self.isLocked(daemon) == false)
    }

    @Test("a lock that comes while a passphrase is checked waits for it, and holds")
    func lockMeanwhile() throws {
        let daemon = try TestApplication(key: .passphrase)
        #expect(unlock(daemon) == nil)
        let checking = daemon.call("Unlock", ["passphrase": .string(Self.passphrase)], settling: false)
        let locking = daemon.call("Lock", settling: false)
        daemon.settle()
        #expect(checking.isFinished && checking.error == nil)
        #expect(locking.isFinished && locking.error == nil)
        #expect(isLocked(daemon) == true)
    }

    @Test("the first call after the keyring was unlocked succeeds, whatever was refused just before", arguments: ["GetCurrentUser", "GetAccessToken", "GetStatus"])
    func keyring(method: String) throws {
        let locked = StoreError(.keyUnavailable, file: "the store", reason: "the keyring is locked")
        let daemon = try TestApplication(storeProblem: locked)
        let parameters: JSONObject = method == "GetAccessToken" ? ["providerID": "work"] : [:]
        for _ in 0..<3 { #expect(daemon.call("GetCurrentUser").errorName == "StoreLocked") }
        #expect(daemon.call("GetCurrentUser").message.contains("restart") == false)
        daemon.opener.problem = nil
        let reply = daemon.call(method, parameters)
        #expect(reply.errorName == (method == "GetAccessToken" ? "SignInRequired" : nil), "\(reply.message)")
        #expect(isLocked(daemon) == false)
    }

    @Test("a store that does not open for another reason is not tried with every call")
    func otherReasons() throws {
        let daemon = try TestApplication(storeProblem: StoreError(.io, file: "the store", reason: "the disk does not answer"))
        for _ in 0..<5 { #expect(daemon.call("GetCurrentUser").errorName == "StoreDamaged") }
        let tries = daemon.opener.tries
        #expect(tries <= 2)
        daemon.pass(seconds: 6)
        daemon.opener.problem = nil
        #expect(daemon.call("GetCurrentUser").error == nil)
    }

    @Test("what is wrong with a store is logged once, however often it is tried")
    func toldOnce() throws {
        let daemon = try TestApplication(storeProblem: StoreError(.keyMissing, file: "/k", reason: "the key file is missing"))
        for _ in 0..<3 {
            #expect(unlock(daemon, nil) == "StoreLocked")
            #expect(daemon.call("GetCurrentUser").errorName == "StoreLocked")
            daemon.pass(seconds: 6)
        }
        // Whoever opened it at the start has told it already.
        #expect(!daemon.log.entries.contains { $0.message.contains("the key file is missing") })
    }

    @Test("while the store is closed nobody knows how many users and credentials there are")
    func unknown() throws {
        let daemon = try TestApplication()
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        daemon.call("Lock")
        daemon.pass(seconds: 36)
        let status = daemon.call("GetStatus")
        #expect(status["locked"] == true && status["users"] == nil && status["credentials"] == nil)
        #expect(unlock(daemon, nil) == nil)
        #expect(daemon.counts == [1, 1])
    }
}
