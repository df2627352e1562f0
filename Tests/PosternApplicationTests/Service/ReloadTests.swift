import PosternApplication
import StrictJSON
import Testing

@Suite("The configuration is read again", .serialized)
struct ReloadTests {
    private static let changed = TestApplication.example.replacing("[provider.work]", with: "[provider.later]")
    private static let invalid = "[provider.work]\nkind = 7\n"

    private let daemon: TestApplication

    init() throws { daemon = try TestApplication() }

    private func readingEnds() {
        daemon.executor.isolated { daemon.configuration.release() }
        daemon.settle()
    }

    private var providers: [String] {
        (daemon.call("ListProviders")["providers"]?.arrayValue ?? []).compactMap { $0.objectValue?["providerID"]?.stringValue }
    }

    private func entries(_ kind: EventLog.Kind) -> Int { daemon.log.entries.filter { $0.kind == kind }.count }

    @Test("Those who ask while it is being read share one reading that begins afterwards", arguments: [true, false])
    func sharing(isValid: Bool) throws {
        daemon.configuration.isHeld = true
        let first = daemon.call("Reload")
        let others = (0..<100).map { _ in daemon.call("Reload") }
        #expect(daemon.configuration.readings == 1 && !first.isFinished && !others.contains(where: \.isFinished))
        try TestApplication.write(isValid ? Self.changed : Self.invalid, to: "\(daemon.directory)/config.toml")
        readingEnds()
        #expect(daemon.configuration.readings == 2)
        for reply in [first] + others {
            #expect(reply.lastWords == 1 && reply.errorName == (isValid ? nil : "ConfigurationInvalid"))
        }
        #expect(providers.contains("later") == isValid)
        #expect(entries(isValid ? .configurationReloaded : .configurationRefused) == 2)
    }

    @Test("Whether users may share an address is in force with the next reading")
    func sharedAddresses() throws {
        let scene = try AccountScene(.own)
        #expect(scene.signIn("ada", at: "home").isCompleted)
        func other() -> RecordedReply { scene.signIn("adas.ada", at: "club", app: "other") }
        #expect(other().errorName == "AccountExistsWithDifferentCredential")
        try scene.daemon.reload(scene.toml + "[accounts]\none-account-per-email = false\n")
        #expect(other().isCompleted)
    }

    @Test("Once the daemon ends, nobody waits for a reading, and nothing is put in force")
    func ending() throws {
        try TestApplication.write(Self.changed, to: "\(daemon.directory)/config.toml")
        daemon.configuration.isHeld = true
        let replies = (0..<100).map { _ in daemon.call("Reload") }
        daemon.executor.isolated { daemon.application.takeNothingNew() }
        readingEnds()
        #expect(daemon.configuration.readings == 1 && entries(.configurationReloaded) == 0)
        for reply in replies { #expect(reply.lastWords == 1 && reply.message.contains("stopping")) }
        #expect(!daemon.executor.isolated { daemon.application.isBusy })
    }

    @Test("Signals that arrive during a reading cause one more reading, and none once the daemon ends", arguments: [true, false])
    func signals(isEnding: Bool) throws {
        let front = try TestFront(TestApplication.example)
        let source = front.daemon.configuration
        source.isHeld = true
        for _ in 0..<1000 {
            let daemon = front.front
            DaemonActor.start { await daemon.reload() }
            front.daemon.settle()
        }
        #expect(source.readings == 1)
        if isEnding { front.takeNothingNew() }
        front.daemon.executor.isolated { source.release() }
        front.daemon.settle()
        #expect(source.readings == (isEnding ? 1 : 2) && !front.isBusy)
    }
}
