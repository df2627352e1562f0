import PosternCore
import Testing

@testable import PosternStore

@Suite("Registered clients")
struct RegistrationTests {
    @Test("They are there again after the store was opened again, and none if none are kept")
    func kept() async throws {
        let directory = try TemporaryDirectory()
        let clients = [
            RegisteredClient(
                providerID: "work", registrar: "https://op.example", redirectURI: "http://127.0.0.1:7678/__/auth/handler",
                scopes: ["openid"], clientID: "abc", clientSecret: Secret("s3cret"), authentication: .clientSecretPost,
                secretExpiresAt: Timestamp(seconds: 1_800_000_000)),
            RegisteredClient(
                providerID: "open", registrar: "https://op.example", redirectURI: "x", scopes: [], returnsFromEndSession: true,
                clientID: "def", clientSecret: nil,
                authentication: .none, secretExpiresAt: nil),
        ]
        let key = FixedKey()
        let store = try Store.open(directory: directory.path, key: key)
        #expect(try await store.registeredClients().isEmpty)
        try await store.keep(registeredClients: clients)
        await store.close()
        let again = try Store.open(directory: directory.path, key: key)
        #expect(try await again.registeredClients() == clients)
        try await again.keep(registeredClients: [])
        #expect(try await again.registeredClients().isEmpty)
    }
}
