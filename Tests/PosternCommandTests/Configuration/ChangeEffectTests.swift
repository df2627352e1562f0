import Testing

@testable import TestDaemon
@testable import postern

@Suite("When a change of the configuration takes effect")
struct ChangeEffectTests {
    private static let restart = "effect after a restart: stop posternd, and run it again"

    private func lines(_ keys: Set<String>, unitsListen: Bool = false) -> [String] {
        ChangeEffect(keys: keys) { unitsListen }.lines { "stop posternd, and run it again" }
    }

    @Test(
        "A change that the daemon applies at once is in effect",
        arguments: [
            ["daemon.idle-exit"], ["daemon.log-level"], ["sign-in.timeout", "provider.work.client-id"], ["accounts.api-key"], [],
        ] as [Set<String>])
    func atOnce(keys: Set<String>) {
        #expect(lines(keys, unitsListen: true) == ["the change is in effect"])
    }

    @Test("A setting read at the start waits for the next start", arguments: ["accounts.authority", "callback.same-user", "callback.port"])
    func later(key: String) {
        #expect(lines([key]) == ["the change takes \(Self.restart)"])
        #expect(lines([key, "sign-in.timeout"]) == ["the change is in effect", "\(key) takes \(Self.restart)"])
    }

    @Test("Where systemd has the sockets, no restart brings another address")
    func units() {
        #expect(lines(["callback.port"], unitsListen: true).first?.hasPrefix("callback.port is ignored: systemd has the sockets") == true)
        let all = lines(["callback.port", "callback.addresses", "callback.key"], unitsListen: true)
        #expect(all.first == "the change takes \(Self.restart)")
        #expect(all.dropFirst().first?.hasPrefix("callback.addresses and callback.port are ignored: ") == true)
        #expect(all.contains("  systemctl --user edit postern-callback.socket postern-callback-ipv6.socket"))
    }

    @Test("The key of an existing store is kept")
    func store() {
        #expect(lines(["store.key"]) == ["store.key takes effect when a store is created; one that is there keeps its key"])
    }
}
