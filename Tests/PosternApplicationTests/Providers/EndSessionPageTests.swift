import PosternApplication
import PosternCore
import StrictJSON
import Testing

@Suite("The page that ends the session at a provider", .serialized)
struct EndSessionPageTests {
    @Test(
        "can be opened once, and only for five minutes, whatever the wall clock is set to meanwhile", arguments: [0, 28_800, -28_800] as [Int64],
        [299, 300] as [Int64])
    func lifetime(clockSetBy seconds: Int64, openedAfter wait: Int64) throws {
        let daemon = try revoked()
        let id = try pageID(daemon)
        daemon.clock.set(now: daemon.clock.now.adding(seconds: seconds))
        daemon.pass(seconds: wait)
        let page = daemon.executor.isolated { daemon.application.callbacks.endSessionPageOpened(id) }
        #expect(page?.reveal().hasPrefix("https://work.example/bye?") == (wait < 300 ? true : nil))
        #expect(daemon.executor.isolated { daemon.application.callbacks.endSessionPageOpened(id) } == nil)
    }

    @Test("is sent to monitors, if no browser shows it", arguments: ["browser is \"none\"", nil])
    func shownByNoBrowser(problem: String?) throws {
        let daemon = try signedIn()
        let monitor = daemon.call("Monitor", more: true)
        daemon.executor.isolated { daemon.pages.isHeld = true }
        try revoke(daemon)
        daemon.executor.isolated { daemon.pages.end(problem) }
        let events = monitor.replies.filter { $0["providerID"] == "work" }
        #expect(
            events.compactMap { $0["kind"]?.stringValue }
                == ["endSessionOpening", "credentialRevoked", problem == nil ? "pageOpened" : "endSessionOffered"])
        let address = try #require(daemon.pages.opened.last)
        #expect((events.last?["message"]?.stringValue == address) == (problem != nil))
        let page = daemon.executor.isolated { daemon.application.callbacks.endSessionPageOpened(address.query("page") ?? "") }
        #expect(page?.reveal().hasPrefix("https://work.example/bye?") == true)
    }

    @Test("is only offered where the configuration does not want it, and to nobody if nobody watches", arguments: [true, false])
    func unwanted(isWatched: Bool) throws {
        let daemon = try signedIn(isWanted: false)
        let monitor = isWatched ? daemon.call("Monitor", more: true) : nil
        try revoke(daemon)
        #expect(daemon.pages.opened.isEmpty)
        let kinds = monitor?.replies.compactMap { $0["kind"]?.stringValue } ?? []
        #expect(kinds.contains("endSessionOffered") == isWatched && !kinds.contains("endSessionOpening"))
    }

    /// A credential was revoked, and the browser was sent to our own address.
    private func revoked() throws -> TestApplication {
        let daemon = try signedIn()
        try revoke(daemon)
        return daemon
    }

    private func signedIn(isWanted: Bool = true) throws -> TestApplication {
        let provider = try OpenIDProvider()
        let daemon = try TestApplication(
            OpenIDProvider.configuration + "\nend-session = \(isWanted)\nend-session-endpoint = \"https://work.example/bye\"\n")
        provider.answersDocuments(of: daemon)
        let reply = daemon.beginSignIn()
        let nonce = reply.replies.first?["event"]?.objectValue?["authorizationURL"]?.stringValue?.query("nonce")
        daemon.answer(json: try provider.tokens("at-1", refreshToken: nil, subject: "ada", nonce: nonce))
        #expect(reply.isCompleted, "\(reply.message)")
        return daemon
    }

    private func revoke(_ daemon: TestApplication) throws {
        let revocation = daemon.call("RevokeCredential", ["providerID": "work"])
        daemon.answer(json: "{}")
        #expect(revocation.error == nil && revocation.isFinished, "\(revocation.message)")
    }

    private func pageID(_ daemon: TestApplication) throws -> String {
        let address = try #require(daemon.pages.opened.last)
        #expect(address.contains("/__/auth/end-session?"))
        return try #require(address.query("page"))
    }
}
