import Glibc
import Testing

@testable import PosternStore

@Suite struct PermissionTests {
    let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    @Test("The directory is made, parents too, for the owner alone, and so are the files", arguments: [0o000, 0o022, 0o177] as [mode_t])
    func modes(mask: mode_t) async throws {
        let state = directory.file("deep/er/postern")
        let writer = try CrashWriter(directory: state, first: 0, mask: mask)
        #expect(writer.nextAcknowledged() == 0)
        _ = writer.kill()
        #expect(permissions(state) == 0o700)
        #expect(permissions(directory.file("deep")) == 0o700)
        let names = TemporaryDirectory.names(in: state).sorted()
        #expect(names == ["key", "lock", "postern.db", "postern.db-wal"])
        for name in names { #expect(permissions("\(state)/\(name)") == 0o600, "\(name)") }
    }

    @Test("A directory that others can enter is refused, with the fix", arguments: [0o750, 0o701, 0o777, 0o770] as [mode_t])
    func openDirectory(mode: mode_t) async throws {
        chmod(directory.path, mode)
        let error = await storeError { try Store.open(directory: directory.path, key: FixedKey()) }
        #expect(error?.kind == .refused)
        #expect(error?.advice == "run: chmod 700 '\(directory.path)'")
        #expect(directory.names.isEmpty)
    }

    @Test("A directory of another user is refused", .enabled(if: geteuid() == 0, "only root can give a directory away"))
    func foreignDirectory() async throws {
        chown(directory.path, 12345, 12345)
        let error = await storeError { try Store.open(directory: directory.path, key: FixedKey()) }
        #expect(error?.kind == .refused)
        #expect(error?.reason.contains("12345") == true)
    }

    @Test("A path that is a file is not a directory")
    func notADirectory() async throws {
        try Bytes.write([], to: directory.file("file"))
        #expect(await storeError { try Store.open(directory: directory.file("file"), key: FixedKey()) }?.kind == .cannotOpen)
    }

    @Test("A path that leads nowhere is an error", arguments: ["", "dangling", "dangling/deeper/still", "file/below"])
    func nowhere(name: String) async throws {
        symlink("/nowhere/at/all", directory.file("dangling"))
        try Bytes.write([], to: directory.file("file"))
        let path = name.isEmpty ? "" : directory.file(name)
        #expect(await storeError { try Store.open(directory: path, key: FixedKey()) }?.kind == .cannotOpen)
    }

    @Test("The directory may be reached through a symbolic link, its last part too")
    func linkedDirectory() async throws {
        mkdir(directory.file("real"), 0o700)
        symlink(directory.file("real"), directory.file("link"))
        _ = try Store.open(directory: directory.file("link/postern"), key: FixedKey())
        symlink(directory.file("real/postern2"), directory.file("link2"))
        mkdir(directory.file("real/postern2"), 0o700)
        _ = try Store.open(directory: directory.file("link2"), key: FixedKey())
    }

    @Test("A database or log that others can read or change is refused", arguments: ["postern.db", "postern.db-wal"])
    func openFile(name: String) async throws {
        await (try Store.open(directory: directory.path, key: FixedKey())).close()
        let path = directory.file(name)
        if name.hasSuffix("-wal") { try Bytes.write([0], to: path) }
        chmod(path, 0o640)
        let error = await storeError { try Store.open(directory: directory.path, key: FixedKey()) }
        #expect(error?.kind == .refused)
        #expect(error?.advice == "run: chmod 600 '\(path)'")
    }

    @Test("A database that is a symbolic link, a directory or a pipe is refused, and not opened")
    func notAFile() async throws {
        await (try Store.open(directory: directory.path, key: FixedKey())).close()
        let path = directory.file("postern.db")
        rename(path, directory.file("elsewhere"))
        for make in [{ symlink(directory.file("elsewhere"), path) }, { mkdir(path, 0o700) }, { mkfifo(path, 0o600) }] {
            #expect(make() == 0)
            #expect(await storeError { try Store.open(directory: directory.path, key: FixedKey()) }?.kind == .refused)
            if unlink(path) != 0 { rmdir(path) }
        }
    }

    @Test("The lock file is no way to write into another file")
    func linkedLock() async throws {
        try Bytes.write([1], to: directory.file("victim"))
        symlink(directory.file("victim"), directory.file("lock"))
        #expect(await storeError { try Store.open(directory: directory.path, key: FixedKey()) }?.kind == .cannotOpen)
        #expect(try Bytes.read(directory.file("victim")) == [1])
    }
}
