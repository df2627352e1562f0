import Glibc
import PosternCore
import PosternCrypto
import PosternStore
import Testing

@testable import PosternDaemon

/// The store's key as a systemd credential, by way of the real files and the real resolver.
@Suite("A store whose key is a systemd credential")
struct CredentialKeyTests {
    let folder = PrivateFolder()
    var state: String { folder.path("state") }

    /// As the daemon makes it, in a service that was given the credential.
    private func choice(_ preference: KeyPreference = .automatic) -> KeyChoice {
        KeyChoice(preference, environment: ["CREDENTIALS_DIRECTORY": folder.path("credentials")], passphrase: nil)
    }

    private func give(_ bytes: [UInt8]) { folder.write("credentials/postern-key", bytes) }

    static let bytes: [[UInt8]] =
        [
            Array(repeating: 0, count: 32), Array(repeating: 0x0A, count: 32), Array(repeating: 0xFF, count: 32),
            [0x0A] + Array(repeating: 0x41, count: 31), Array(repeating: 0x41, count: 31) + [0x0A],
            Array(repeating: 0x41, count: 30) + [0x0D, 0x0A], [0xC3, 0x28, 0x00] + Array(repeating: 0x1B, count: 29),
        ] + (0..<200).map { _ in (0..<32).map { _ in UInt8.random(in: 0...255) } }

    @Test("takes 32 bytes of any value", arguments: [KeyPreference.automatic, .credential])
    func anyBytes(preference: KeyPreference) throws {
        for bytes in Self.bytes {
            give(bytes)
            let made = try choice(preference).makeKey(in: state)
            #expect(made.source == .credential(name: "postern-key"))
            #expect(made.key.bytes == Secret(bytes), "\(bytes)")
        }
        #expect(!folder.exists("state/key"))
    }

    @Test("takes the line of a key file, with its line feed or without", arguments: ["\n", ""])
    func line(end: String) throws {
        let key = try SealingKey.generate()
        give(Array(KeyText.encode(key).dropLast()) + Array(end.utf8))
        #expect(try choice(.credential).makeKey(in: state).key.bytes == key.bytes)
    }

    @Test("opens again with the same bytes, and with no others", arguments: Array(bytes.prefix(8)))
    func opens(bytes: [UInt8]) async throws {
        give(bytes)
        await (try Store.open(directory: state, key: choice())).close()
        await (try Store.open(directory: state, key: choice(.credential))).close()
        give(bytes.map { $0 ^ 1 })
        #expect(refusal { try Store.open(directory: state, key: choice()) }?.kind == .wrongKey)
        folder.remove("credentials/postern-key")
        #expect(refusal { try Store.open(directory: state, key: choice()) }?.kind == .keyMissing)
    }

    static let notKeys: [[UInt8]] = [
        [], [0x0A], Array(repeating: 7, count: 31), Array(repeating: 7, count: 33), Array("postern-key-1 short\n".utf8),
        Array("postern-key-1 \(String(repeating: "A", count: 43))\n\n".utf8), Array(repeating: 0x41, count: 70_000),
    ]

    @Test("is not made where the credential is there and is not a key", arguments: notKeys)
    func refused(bytes: [UInt8]) {
        give(bytes)
        for preference in [KeyPreference.automatic, .credential] {
            let error = refusal { try Store.open(directory: state, key: choice(preference)) }
            #expect(error?.kind == .keyRefused)
            #expect(error?.description.contains("postern-key") == true)
        }
        #expect(!folder.exists("state/key") && !folder.exists("state/postern.db"))
    }

    @Test("is not made where the credential is there and cannot be read")
    func unreadable() {
        folder.makeFolder("credentials/postern-key")
        let error = refusal { try Store.open(directory: state, key: choice()) }
        #expect(error?.kind == .keyRefused)
        #expect(error?.description.contains("the credential postern-key is not a regular file") == true)
        #expect(!folder.exists("state/key") && !folder.exists("state/postern.db"))
    }

    private func refusal(_ open: () throws -> Store) -> StoreError? {
        do {
            _ = try open()
            return nil
        } catch { return error as? StoreError }
    }
}
