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
        guard case .secretService(let item?)? = try source(name) else { throw Unnamed() }
        return item
    }

    private struct Unnamed: Error {}

    /// A store as an earlier version made it: its key in an item that names no store.
    private func makeOld(_ name: String = "a", key: SealingKey) async throws {
        let made = OldKey(key: key)
        await (try Store.open(directory: directory.file(name), key: made)).close()
        keyring.items[MemoryKeyring.unnamed] = Secret(KeyText.encode(key))
    }

    private struct OldKey: KeyProvider {
        var key: SealingKey
        func makeKey(in directory: String) throws(StoreError) -> SourcedKey { SourcedKey(source: .secretService(nil), key: key) }
        func keys(from source: KeySource, in directory: String) throws(StoreError) -> [SealingKey] { [key] }
    }

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

    @Test("that an earlier version made opens, and has its own item from then on")
    func migrated() async throws {
        let key = try SealingKey.generate()
        try await makeOld(key: key)
        // Other stores' items are no trouble.
        try await open("b")
        try await open("a")
        #expect(keyring.items[try item().name] == Secret(KeyText.encode(key)))
        #expect(keyring.items[MemoryKeyring.unnamed] != nil)
        keyring.items[MemoryKeyring.unnamed] = nil
        try await open("a")
        #expect(keyring.items.count == 2)
    }

    @Test("shares the item of an earlier version with others until each has its own")
    func sharedBefore() async throws {
        let key = try SealingKey.generate()
        for name in ["a", "b"] { try await makeOld(name, key: key) }
        for name in ["a", "b"] { try await open(name) }
        #expect(try item("a") != item("b"))
        keyring.items[MemoryKeyring.unnamed] = nil
        for name in ["a", "b"] { try await open(name) }
    }

    @Test("of an earlier version that the keyring gives no item of its own stays as it was, and opens")
    func notMigrated() async throws {
        let key = try SealingKey.generate()
        try await makeOld(key: key)
        let forgetful = MemoryKeyring(keeps: { _ in nil })
        forgetful.items = keyring.items
        try await open("a", KeyChoice(.secretService, keyring: forgetful))
        #expect(try source() == .secretService(nil))
        try await open()
        #expect(try source() != .secretService(nil))
    }

    @Test("that is an old copy opens with the item of its own that it does not know of")
    func oldCopy() async throws {
        let key = try SealingKey.generate()
        try await makeOld(key: key)
        let copy = try Bytes.read(directory.file("a/postern.db"))
        try await open()
        keyring.items[MemoryKeyring.unnamed] = nil
        try Bytes.write(copy, to: directory.file("a/postern.db"))
        try await open()
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
