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
