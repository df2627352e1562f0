import Glibc
import PosternCore
import PosternCrypto
import Testing

@testable import PosternStore

@Suite("A store whose key is in the keyring")
struct KeyringTests {
    let directory: TemporaryDirectory
    let keyring = MemoryKeyring()
    var choice: KeyChoice { KeyChoice(.secretService, keyring: keyring) }

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ name: String = "a", _ choice: KeyChoice? = nil) async throws {
        await (try Store.open(directory: directory.file(name), key: choice ?? self.choice)).close()
    }

    private func source(_ name: String = "a") throws -> KeySource? { try Store.keySource(in: directory.file(name)) }

    private func item(_ name: String = "a") throws -> KeyringItem {
        guard case .secretService(let item)? = try source(name) else { throw Unnamed() }
        return item
    }

    private struct Unnamed: Error {}

    @Test("names its item, which no other store has")
    func own() async throws {
        try await open("a")
        try await open("b")
        #expect(try item("a") != item("b"))
        #expect(Set(keyring.items.keys) == [try item("a").name, try item("b").name])
        #expect(keyring.items[try item("a").name] != keyring.items[try item("b").name])
        try await open("a")
        try await open("b")
        #expect(keyring.saves == 2)
        #expect(TemporaryDirectory.names(in: directory.file("a")).sorted() == ["lock", "postern.db"])
    }

    @Test("is found again where its directory was moved, and where a copy of it was put back")
    func moved() async throws {
        try await open("a")
        #expect(rename(directory.file("a"), directory.file("b")) == 0)
        try await open("b")
        let backup = try Bytes.read(directory.file("b/postern.db"))
        try await open("b")
        try Bytes.write(backup, to: directory.file("b/postern.db"))
        try await open("b")
        #expect(keyring.saves == 1)
    }

    @Test("that was not made after its key was saved takes the same item the next time")
    func interrupted() throws {
        let first = try choice.makeKey(in: directory.path)
        let second = try choice.makeKey(in: directory.path)
        #expect(first.source == second.source && first.key.bytes == second.key.bytes)
        #expect(keyring.items.count == 1 && directory.names == ["keyring-item"])
        // So that an uninstaller finds it.
        #expect(try Store.keySource(in: directory.path) == first.source)
    }

    @Test("does not depend on the file of an item that is not named yet", arguments: ["", "no name", "AAAA"])
    func damagedPending(text: String) throws {
        try Bytes.write(Array(text.utf8), to: directory.file("keyring-item"))
        _ = try choice.makeKey(in: directory.path)
        #expect(keyring.items.count == 1)
    }

    @Test(
        "is not made where the keyring does not give back what was saved",
        arguments: [
            { _ in nil }, { _ in Secret("postern") },
            // Another key, with every bit 0.
            { _ in Secret("postern-key-1 \(String(repeating: "A", count: 43))\n") },
        ] as [@Sendable (Secret) -> Secret?])
    func forgetful(keeps: @escaping @Sendable (Secret) -> Secret?) async throws {
        let forgetful = MemoryKeyring(keeps: keeps)
        let error = await storeError { try await open("a", KeyChoice(.secretService, keyring: forgetful)) }
        #expect(error?.kind == .keyUnavailable)
        #expect(!TemporaryDirectory.names(in: directory.file("a")).contains("postern.db"))
        // By itself it takes another place, or what the keyring does have; either way it opens again.
        for _ in 0..<2 { try await open("a", KeyChoice(.automatic, keyring: forgetful)) }
    }

    @Test("says that the keyring is locked, that the key is lost, or that it is no key or another")
    func failures() async throws {
        try await open()
        let name = try item().name
        keyring.isLocked = true
        let locked = await storeError { try await open() }
        #expect(locked?.kind == .keyUnavailable)
        #expect(locked?.description.contains("the login keyring is locked") == true)
        keyring.isLocked = false
        let kept = keyring.items[name]
        keyring.items[name] = nil
        let missing = await storeError { try await open() }
        #expect(missing?.kind == .keyMissing)
        #expect(missing?.description.contains("store-key=\(name)") == true)
        keyring.items[name] = Secret("not a key")
        #expect(await storeError { try await open() }?.kind == .keyRefused)
        keyring.items[name] = Secret(KeyText.encode(try SealingKey.generate()))
        #expect(await storeError { try await open() }?.kind == .wrongKey)
        keyring.items[name] = kept
        try await open()
    }

    @Test("is looked for where there is none, and nothing is made")
    func noStore() throws {
        #expect(try Store.keySource(in: directory.file("none")) == nil)
        #expect(directory.names.isEmpty)
    }
}
