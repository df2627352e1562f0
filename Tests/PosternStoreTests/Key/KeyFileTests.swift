import Glibc
import PosternCore
import PosternCrypto
import Testing

@testable import PosternStore

@Suite struct KeyFileTests {
    let directory: TemporaryDirectory
    let path: String
    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("key")
    }

    @Test("A key that was made can be read, and is for its owner alone")
    func making() throws {
        let key = try KeyFile.create(at: path)
        #expect(key.bytes.count == 32)
        #expect(try KeyFile.read(at: path).bytes == key.bytes)
        #expect(permissions(path) == 0o600)
        #expect(directory.names == ["key"])
    }

    @Test("Two keys are not the same")
    func random() throws {
        #expect(try KeyFile.create(at: path).bytes != KeyFile.create(at: directory.file("other")).bytes)
    }

    @Test("A key that exists is never replaced, whatever it is")
    func existing() async throws {
        try Bytes.write([], to: path)
        #expect(await storeError { try KeyFile.create(at: path) }?.kind == .keyRefused)
        #expect(try Bytes.read(path).isEmpty)
        #expect(directory.names == ["key"])
    }

    @Test("What an interrupted attempt left is no obstacle")
    func interrupted() throws {
        try Bytes.write([1, 2], to: directory.file("key.new"))
        let key = try KeyFile.create(at: path)
        #expect(try KeyFile.read(at: path).bytes == key.bytes)
        #expect(directory.names == ["key"])
    }

    @Test("The second name that a crash left goes when the key is read; another file of that name stays")
    func secondName() throws {
        let key = try KeyFile.create(at: path)
        #expect(link(path, directory.file("key.new")) == 0)
        #expect(try KeyFile.read(at: path).bytes == key.bytes)
        #expect(directory.names == ["key"])

        try Bytes.write([1, 2], to: directory.file("key.new"))
        _ = try KeyFile.read(at: path)
        #expect(directory.names == ["key", "key.new"])
    }

    @Test("A missing key is named")
    func missing() async {
        let error = await storeError { try KeyFile.read(at: path) }
        #expect(error?.kind == .keyMissing)
        #expect(error?.description.hasPrefix(path) == true)
    }

    @Test("A key that others can read is refused, with the fix", arguments: [0o640, 0o604, 0o660, 0o666] as [mode_t])
    func readable(mode: mode_t) async throws {
        _ = try KeyFile.create(at: path)
        chmod(path, mode)
        let error = await storeError { try KeyFile.read(at: path) }
        #expect(error?.kind == .keyRefused)
        #expect(error?.advice == "run: chmod 600 '\(path)'")
    }

    @Test("A key of another user is refused", .enabled(if: geteuid() == 0, "only root can give a file away"))
    func foreign() async throws {
        _ = try KeyFile.create(at: path)
        chown(path, 12345, 12345)
        #expect(await storeError { try KeyFile.read(at: path) }?.kind == .keyRefused)
    }

    @Test(
        "What is no key file is refused, and the error does not repeat it",
        arguments: [
            "", "postern-key-1 ", "postern-key-1 AAAA\n", String(repeating: "A", count: 58),
            "postern-key-2 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n", "postern-key-1 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n\n",
            "postern-key-1 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "postern-key-1 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
            "postern-key-1 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB\n",
        ])
    func malformed(text: String) async throws {
        try Bytes.write(Array(text.utf8), to: path)
        let error = await storeError { try KeyFile.read(at: path) }
        #expect(error?.kind == .keyRefused)
        #expect(error?.description.contains("AAAA") != true)
    }

    @Test("A symbolic link, a directory and a pipe are no key files")
    func otherKinds() async throws {
        _ = try KeyFile.create(at: directory.file("real"))
        for make in [{ symlink("real", path) }, { mkdir(path, 0o700) }, { mkfifo(path, 0o600) }] {
            #expect(make() == 0)
            #expect(await storeError { try KeyFile.read(at: path) }?.kind == .keyRefused)
            if unlink(path) != 0 { rmdir(path) }
        }
    }

    @Test("Without its key file a store does not open, and no new one is made")
    func storeWithoutKey() async throws {
        await (try Store.open(directory: directory.path, key: KeyChoice(.file))).close()
        rename(path, directory.file("away"))
        let before = try Bytes.readAll(in: directory.path)
        let error = await storeError { try Store.open(directory: directory.path, key: KeyChoice(.automatic)) }
        #expect(error?.kind == .keyMissing)
        #expect(error?.file == path)
        #expect(try isUntouched(before, Bytes.readAll(in: directory.path)))
        rename(directory.file("away"), path)
        _ = try Store.open(directory: directory.path, key: KeyChoice(.automatic))
    }

    @Test("Another store's key file is the wrong key")
    func otherKey() async throws {
        await (try Store.open(directory: directory.path, key: KeyChoice(.file))).close()
        unlink(path)
        _ = try KeyFile.create(at: path)
        #expect(await storeError { try Store.open(directory: directory.path, key: KeyChoice(.file)) }?.kind == .wrongKey)
    }

    @Test("A key without a store is used for the store that is made next")
    func keyBeforeStore() async throws {
        let key = try KeyFile.create(at: path)
        await (try Store.open(directory: directory.path, key: KeyChoice(.automatic))).close()
        #expect(try KeyFile.read(at: path).bytes == key.bytes)
        _ = try Store.open(directory: directory.path, key: KeyChoice(.automatic))
    }

    @Test("A store that was being made when the daemon died is made again")
    func halfMade() async throws {
        let key = try KeyFile.create(at: path)
        for name in ["postern.db.new", "postern.db.new-journal", "postern.db.new-wal"] {
            try Bytes.write([1, 2, 3], to: directory.file(name))
        }
        let store = try Store.open(directory: directory.path, key: KeyChoice(.automatic))
        try await store.begin(Samples.session())
        await store.close()
        #expect(try KeyFile.read(at: path).bytes == key.bytes)
        #expect(directory.names == ["key", "lock", "postern.db"])
    }
}
