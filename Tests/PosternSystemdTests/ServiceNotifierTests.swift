import Glibc
import Testing

@Suite("The service manager is told")
struct ServiceNotifierTests {
    @Test("each state in one datagram, and a status in one line")
    func states() throws {
        let folder = try TemporaryFolder()
        let manager = try TestSocket(path: folder.path("notify"), type: SOCK_DGRAM)
        let outcome = try Child.run(["notify"], in: folder, environment: ["NOTIFY_SOCKET": folder.path("notify")])
        #expect(outcome.status == 0)
        let messages = manager.received()
        #expect(messages.count == 5)
        #expect(messages.first == "READY=1\nSTATUS=first second")
        #expect(messages.dropFirst().prefix(2) == ["STATUS=waiting", "WATCHDOG=1"])
        #expect(messages.dropFirst(3).first?.wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=[0-9]+/) != nil)
        #expect(messages.last == "STOPPING=1")
    }

    @Test("later, the newest of each kind in order, where it does not read")
    func full() throws {
        let folder = try TemporaryFolder()
        #expect(
            try Child.run(["full-manager", folder.path("notify")], in: folder).output == """
                waited with the rest 1
                0 0
                RELOADING=1
                MONOTONIC_USEC=N
                READY=1
                STATUS=read
                WATCHDOG=1
                STOPPING=1

                """)
    }

    @Test("at a name in the abstract namespace")
    func abstractName() throws {
        let folder = try TemporaryFolder()
        let name = "postern-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let manager = try TestSocket(path: "\0" + name, type: SOCK_DGRAM)
        _ = try Child.run(["notify"], in: folder, environment: ["NOTIFY_SOCKET": "@" + name])
        #expect(manager.received().count == 5)
    }

    @Test("nothing, where there is none or it is gone", arguments: [[:], ["NOTIFY_SOCKET": "/nowhere/notify"]])
    func noManager(environment: [String: String]) throws {
        #expect(try Child.run(["notify"], in: TemporaryFolder(), environment: environment).status == 0)
    }

    @Test(
        "that the daemon lives, as often as the manager of this very process asks",
        arguments: [
            (["WATCHDOG_USEC": "2000000"], "2000000\n"), ([:], "none\n"), (["WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "1"], "none\n"),
        ])
    func watchdog(environment: [String: String], interval: String) throws {
        #expect(try Child.run(["notify"], in: TemporaryFolder(), environment: environment).output == interval)
    }
}
