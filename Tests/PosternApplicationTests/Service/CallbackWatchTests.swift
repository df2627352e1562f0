import PosternApplication
import Testing

@Suite("While another process has the callback port")
struct CallbackWatchTests {
    @Test("a sign-in goes by a free port, where the provider takes any")
    func anyPort() throws {
        let daemon = try TestApplication()
        daemon.listener.status = FakeListener.taken
        daemon.call("SignIn", ["providerID": "work"], more: true)
        #expect(daemon.pages.opened.first?.query("redirect_uri")?.contains("40000") == true)
    }

    @Test("a provider that wants its own says who has it, and is there once the port is ours")
    func registeredPort() throws {
        let daemon = try TestApplication(TestApplication.example + "\nany-port = false\n")
        daemon.listener.status = FakeListener.taken
        let refused = daemon.call("SignIn", ["providerID": "work"], more: true)
        #expect(refused.errorName == "ProviderNotConfigured")
        #expect(daemon.pages.opened.isEmpty)
        // The next one tries first whether it is free by now.
        daemon.listener.next = FakeListener.held
        let reply = daemon.call("SignIn", ["providerID": "work"], more: true)
        #expect(reply.error == nil)
        #expect(daemon.pages.opened.first?.query("redirect_uri")?.contains("7678") == true)
    }

    @Test("the port is tried again while a sign-in waits for its answer there, and not while nobody does")
    func retry() throws {
        let daemon = try TestApplication()
        let waiting = daemon.call("SignIn", ["providerID": "work", "timeoutSeconds": 60], more: true)
        daemon.listener.status = FakeListener.taken
        daemon.pass(seconds: 30)
        // Nothing has happened that would make it look.
        #expect(daemon.listener.needs.isEmpty)
        daemon.run { $0.callbackChanged() }
        daemon.pass(seconds: 10)
        let tries = daemon.listener.needs.count
        #expect(tries > 2 && daemon.listener.needs.allSatisfy { $0.awaited == ["http://127.0.0.1:7678/__/auth/handler"] })
        daemon.listener.next = FakeListener.held
        daemon.pass(seconds: 4)
        let atLast = daemon.listener.needs.count
        daemon.pass(seconds: 10)
        #expect(daemon.listener.needs.count == atLast)
        #expect(!waiting.isFinished)
    }

    @Test("a device code needs no address")
    func device() throws {
        let daemon = try TestApplication(TestApplication.example + "\nany-port = false\n")
        daemon.listener.status = FakeListener.taken
        let reply = daemon.call("SignIn", ["providerID": "work", "flow": "device"], more: true)
        #expect(reply.error == nil)
    }
}
