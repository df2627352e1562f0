import PosternCore
import PosternCrypto
import StrictJSON
import Testing

@testable import PosternStore

@Suite struct PassphraseTests {
    static let passphrase = Secret("correct horse, battery staple")
    let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    func open(_ passphrase: Secret?, _ preference: KeyPreference = .passphrase) throws(StoreError) -> Store {
        try Store.open(directory: directory.path, key: KeyChoice(preference, passphrase: passphrase))
    }

    @Test("A store is made with a passphrase, opens with it alone, and holds no key that stands by itself")
    func wholeLife() async throws {
        let store = try open(Self.passphrase)
        #expect(store.isOpenedByPassphrase)
        try await store.begin(Samples.session())
        await store.close()
        #expect(directory.names == ["lock", "postern.db"])
        #expect(await storeError { try open(nil) }?.kind == .passphraseNeeded)
        #expect(await storeError { try open(Secret("correct horse, battery stable")) }?.kind == .wrongPassphrase)
        #expect(await storeError { try open(Secret("")) }?.kind == .wrongPassphrase)
        // Also where the configuration leaves it to the store.
        let again = try open(Self.passphrase, .automatic)
        #expect(try await again.loadSessions(now: Samples.now).values == [Samples.session()])
    }

    @Test(
        "Without a passphrase, or with one that is easily guessed, no store is made",
        arguments: [nil, "", "seven c", "aaaaaaaaaaaa", "abababab"])
    func weak(passphrase: String?) async {
        let error = await storeError { try open(passphrase.map { Secret($0) }) }
        #expect(error?.kind == .weakPassphrase)
        #expect(directory.names == ["lock"])
    }

    @Test("Eight letters of any script are enough")
    func letters() async throws { await (try open(Secret("くにざかいのながいとんねる"))).close() }

    @Test("A passphrase is refused where the key is elsewhere, and another key where it is a passphrase")
    func elsewhere() async throws {
        #expect(await storeError { try open(Self.passphrase, .file) }?.kind == .passphraseUnwanted)
        #expect(await storeError { try open(Self.passphrase, .automatic) }?.kind == .passphraseUnwanted)
        let store = try open(nil, .file)
        #expect(!store.isOpenedByPassphrase)
        await store.close()
        #expect(await storeError { try open(Self.passphrase, .automatic) }?.kind == .passphraseUnwanted)
        #expect(await storeError { try open(Self.passphrase) }?.kind == .keyRefused)
    }

    @Test("A store that is open knows its passphrase again, and that it has none")
    func checked() async throws {
        let store = try open(Self.passphrase)
        try store.check(passphrase: Self.passphrase)
        for wrong in ["correct horse, battery stable", "", "くにざかい"] {
            #expect(await storeError { try store.check(passphrase: Secret(wrong)) }?.kind == .wrongPassphrase)
        }
        try await store.begin(Samples.session())
        await store.close()
        let other = try TemporaryDirectory()
        let file = try Store.open(directory: other.path, key: KeyChoice(.file))
        #expect(await storeError { try file.check(passphrase: Self.passphrase) }?.kind == .passphraseUnwanted)
        await file.close()
    }

    @Test("Another passphrase can wrap the same key, and the first then opens it no more")
    func rewrapped() throws {
        let key = try SealingKey.generate()
        let wrapping = try KeyWrapping.wrap(key, with: Self.passphrase, cost: 16)
        #expect(try wrapping.unwrap(with: Self.passphrase).bytes == key.bytes)
        let other = try KeyWrapping.wrap(key, with: Secret("another passphrase"), cost: 16)
        #expect(try other.unwrap(with: Secret("another passphrase")).bytes == key.bytes)
        #expect(throws: CryptoError.self) { try other.unwrap(with: Self.passphrase) }
        #expect(other.salt != wrapping.salt)
        #expect(try KeyWrapping(record: wrapping.record) == wrapping)
    }

    @Test("A wrapping that was changed in the file does not open", arguments: ["salt", "cost", "blockSize", "sealed"])
    func changed(member: String) throws {
        var wrapping = try KeyWrapping.wrap(SealingKey.generate(), with: Self.passphrase, cost: 16)
        switch member {
        case "salt": wrapping.salt[0] ^= 1
        case "cost": wrapping.cost = 2
        case "blockSize": wrapping.blockSize = 1
        default: wrapping.sealed[20] ^= 1
        }
        #expect { try wrapping.unwrap(with: Self.passphrase) } throws: { ($0 as? CryptoError)?.code == .cannotOpen }
    }

    @Test("A wrapping that asks for more memory than there may be is an error, not the end")
    func greedy() throws {
        var wrapping = try KeyWrapping.wrap(SealingKey.generate(), with: Self.passphrase, cost: 16)
        wrapping.cost = 1 << 40
        #expect(throws: CryptoError.self) { try wrapping.unwrap(with: Self.passphrase) }
    }

    @Test(
        "A store whose wrapping asks for minutes of work says that it is damaged, and does none of it",
        arguments: [(1 << 17, 8, 64), (1 << 17, 8, 5), (1 << 21, 1, 4), (1 << 40, 8, 1)])
    func slow(cost: Int, blockSize: Int, parallelization: Int) async throws {
        let store = try open(Self.passphrase)
        var wrapping = try KeyWrapping.wrap(SealingKey.generate(), with: Self.passphrase, cost: 16)
        (wrapping.cost, wrapping.blockSize, wrapping.parallelization) = (cost, blockSize, parallelization)
        try await store.setWrapping(wrapping.record.serialized)
        await store.close()
        // With another passphrase it would be the wrong one, had it been tried.
        #expect(await storeError { try open(Secret("correct horse, battery stable")) }?.kind == .damaged)
    }

    @Test("A store whose wrapping is gone or is no wrapping says that it is damaged", arguments: [nil, "{}", "nonsense"])
    func damaged(wrapping: String?) async throws {
        let store = try open(Self.passphrase)
        try await store.setWrapping(wrapping.map { Array($0.utf8) })
        await store.close()
        #expect(await storeError { try open(Self.passphrase) }?.kind == .damaged)
    }
}

extension Store {
    func setWrapping(_ bytes: [UInt8]?) throws {
        try tables.connection.run("UPDATE meta SET value = ? WHERE name = 'key_wrapping'", [.blob(orNull: bytes ?? [])])
        if bytes == nil { try tables.connection.run("DELETE FROM meta WHERE name = 'key_wrapping'") }
    }
}
