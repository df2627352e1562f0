import PosternCore
import StrictJSON
import Testing

@testable import PosternStore

@Suite struct DeviceTests {
    let directory: TemporaryDirectory
    let store: Store
    init() throws {
        directory = try TemporaryDirectory()
        store = try Store.open(directory: directory.path, key: FixedKey())
    }

    private static let device = DeviceAuthorization(
        deviceCode: Secret("device-code-secret"), userCode: "WDJB-MJHT", verificationURI: "https://provider.example/device",
        verificationURIComplete: "https://provider.example/device?c=WDJB-MJHT", expiresAt: Samples.now.adding(seconds: 900),
        intervalSeconds: 7)

    private func keep(_ session: StoredSignIn) async throws {
        try await store.keep(try #require(session.secrets), device: session.device, of: session.id)
    }

    private func load() async throws -> [StoredSignIn] { try await store.loadSessions(now: Samples.now).values }

    @Test("A code that begins with its session comes back with it, also where there is no page")
    func begun() async throws {
        var session = Samples.session()
        session.device = Self.device
        session.stateHashes = []
        try await store.begin(session)
        #expect(try await load() == [session])
    }

    @Test("A code comes and goes while the session waits, and goes with its other secrets")
    func changed() async throws {
        var session = Samples.session()
        try await store.begin(session)
        session.device = Self.device
        try await keep(session)
        #expect(try await load() == [session])
        session.device = nil
        try await keep(session)
        #expect(try await load() == [session])

        session.device = Self.device
        try await keep(session)
        #expect(try await store.markExchanging(sessionID: session.id))
        #expect(try await load().first?.device == nil)
        #expect(await storeError { try await keep(session) }?.kind == .sessionOver)
        #expect(try await load().first?.device == nil)
    }

    @Test("A code for an unknown session is refused")
    func unknown() async throws {
        #expect(await storeError { try await keep(Samples.session()) }?.kind == .sessionOver)
    }

    @Test("Neither code can be read in the files")
    func sealed() async throws {
        var session = Samples.session()
        session.device = Self.device
        try await store.begin(session)
        await store.close()
        let everything = try Bytes.readAll(in: directory.path).values.map { String(decoding: $0, as: UTF8.self) }
        for secret in ["device-code-secret", "WDJB-MJHT", "provider.example/device"] {
            #expect(!everything.contains { $0.contains(secret) }, "\(secret)")
        }
    }
}
