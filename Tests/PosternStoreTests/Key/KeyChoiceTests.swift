import PosternCore
import PosternCrypto
import Testing

@testable import PosternStore

@Suite struct KeyChoiceTests {
    let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    private static let credential: @Sendable (String) throws(CredentialUnreadable) -> Secret? = { name in
        name == "postern-key" ? Secret([UInt8](repeating: 3, count: 32)) : nil
    }

    struct Machine: Sendable {
        var hasCredential: Bool
        /// Nil: there is none.
        var keyringIsLocked: Bool?
        /// As the configuration would name it.
        var expected: KeyPreference
    }

    @Test(
        "By itself it takes the credential, else the keyring, else a file",
        arguments: [
            Machine(hasCredential: true, keyringIsLocked: false, expected: .credential),
            Machine(hasCredential: true, keyringIsLocked: nil, expected: .credential),
            Machine(hasCredential: false, keyringIsLocked: false, expected: .secretService),
            Machine(hasCredential: false, keyringIsLocked: true, expected: .file),
            Machine(hasCredential: false, keyringIsLocked: nil, expected: .file),
        ])
    func automatic(machine: Machine) async throws {
        let noCredential: @Sendable (String) throws(CredentialUnreadable) -> Secret? = { _ in nil }
        let keyring = machine.keyringIsLocked.map { MemoryKeyring(isLocked: $0) }
        let choice = KeyChoice(.automatic, credential: machine.hasCredential ? Self.credential : noCredential, keyring: keyring)
        let made = try choice.makeKey(in: directory.path).source
        switch (made, machine.expected) {
        case (.credential(name: "postern-key"), .credential): #expect(directory.names == [])
        case (.secretService, .secretService): #expect(directory.names == ["keyring-item"])
        case (.file, .file): #expect(directory.names == ["key"])
        default: Issue.record("\(made)")
        }
        await (try Store.open(directory: directory.path, key: choice)).close()
        // The choice is in the store: another source that appears later does not change it.
        let later = KeyChoice(.automatic, credential: Self.credential, keyring: MemoryKeyring())
        let error = await storeError { try Store.open(directory: directory.path, key: later) }
        #expect(error?.kind == (machine.expected == .secretService ? .keyMissing : nil))
    }

    @Test("A key file that an interrupted start left is used, though a keyring answers by now")
    func decidedEarlier() throws {
        let key = try KeyFile.create(at: directory.file("key"))
        let made = try KeyChoice(.automatic, keyring: MemoryKeyring()).makeKey(in: directory.path)
        #expect(made.source == .file)
        #expect(made.key.bytes == key.bytes)
    }

    @Test("A place that was asked for and does not answer is an error, not another place")
    func explicit() async {
        #expect(await storeError { try KeyChoice(.credential).makeKey(in: directory.path) }?.kind == .keyMissing)
        #expect(await storeError { try KeyChoice(.secretService).makeKey(in: directory.path) }?.kind == .keyUnavailable)
        #expect(directory.names.isEmpty)
    }

    @Test("A configuration that names another place than the store has is told so")
    func contradiction() async throws {
        await (try Store.open(directory: directory.path, key: KeyChoice(.file))).close()
        let error = await storeError {
            try Store.open(directory: directory.path, key: KeyChoice(.credential, credential: Self.credential))
        }
        #expect(error?.kind == .keyRefused)
        #expect(error?.description.contains("the key file") == true)
    }

    @Test("A credential is 32 bytes or the line of a key file")
    func credentialForms() throws {
        let key = try KeyFile.create(at: directory.file("key"))
        let line = try Bytes.read(directory.file("key"))
        let choice = KeyChoice(.credential, credential: { _ in Secret(line) })
        #expect(try choice.makeKey(in: directory.path).key.bytes == key.bytes)
    }

    @Test(
        "A source is kept as a word and read back",
        arguments: ["file", "secret-service:AAAAAAAAAAAAAAAAAAAAAA", "credential:postern-key"])
    func words(word: String) { #expect(KeySource(word: word)?.word == word) }

    @Test(
        "A word that names no item of the keyring is not understood",
        arguments: [
            "secret-service", "secret-service:", "secret-service:x", "secret-service:AAAAAAAAAAAAAAAAAAAAAAA", "secret-service:AAAAAAAAAAAAAAAAAAAA/A",
        ])
    func noItem(word: String) { #expect(KeySource(word: word) == nil) }
}
