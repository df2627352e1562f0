import Foundation
import Glibc
import PosternCore
import TestProcess
import Testing

@testable import PosternStore

@Suite struct FullDiskTests {
    let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    /// A profile that takes room.
    private func large(_ number: Int) -> StoredSignIn {
        var session = Samples.session("\(number)")
        session.session.request.parameters["filler"] = String(repeating: "x", count: 20_000)
        return session
    }

    /// Begins sessions until one is refused.
    private func fill(_ store: Store, from first: Int) async -> (stored: Int, error: StoreError?) {
        var number = first
        while true {
            let error = await storeError { try await store.begin(large(number)) }
            if let error { return (number - first, error) }
            number += 1
        }
    }

    @Test("A store that may not grow says that it is full, keeps what it has, and goes on when there is room")
    func pages() async throws {
        let store = try Store.open(directory: directory.path, key: FixedKey())
        try await store.begin(Samples.session("before"))
        try await store.maximumPages(120)
        let (stored, error) = await fill(store, from: 0)
        #expect(error?.kind == .full)
        #expect(error?.description.contains(directory.file("postern.db")) == true)
        #expect(stored > 0)
        #expect(try await store.loadSessions(now: Samples.now).values.count == stored + 1)
        try await store.maximumPages(100_000)
        try await store.begin(large(stored))
        #expect(try await store.loadSessions(now: Samples.now).values.count == stored + 2)
    }

    @Test(
        "A full disk loses nothing that was acknowledged, and the store works again when there is room",
        .enabled(if: SmallDisk.isPossible, "only root can mount one"))
    func disk() async throws {
        let disk = try SmallDisk(kibibytes: 1024)
        let state = "\(disk.path)/postern"
        let store = try Store.open(directory: state, key: KeyChoice(.file))
        try await store.begin(Samples.session("before"))
        let filler = "\(disk.path)/filler"
        try Bytes.write([UInt8](repeating: 1, count: 300_000), to: filler)

        let (stored, error) = await fill(store, from: 0)
        #expect(error?.kind == .full)
        let again = await storeError { try await store.begin(large(stored)) }
        #expect(again?.kind == .full)
        #expect(try await store.loadSessions(now: Samples.now).values.count == stored + 1)
        // A small change may still find room in the log; what it may not do is to say so and not be kept.
        var isMarked = false
        let small = await storeError { isMarked = try await store.markExchanging(sessionID: "session-before") }
        #expect([nil, .full].contains(small?.kind))

        unlink(filler)
        #expect(try await store.markExchanging(sessionID: "session-before") == !isMarked)
        try await store.begin(large(stored))
        await store.close()
        let reopened = try Store.open(directory: state, key: KeyChoice(.file))
        #expect(try await reopened.loadSessions(now: Samples.now).values.count == stored + 2)
        await reopened.close()
    }

    @Test(
        "On a full disk a store cannot be made, says so, and is made when there is room",
        .enabled(if: SmallDisk.isPossible, "only root can mount one"))
    func making() async throws {
        let disk = try SmallDisk(kibibytes: 256)
        let state = "\(disk.path)/postern"
        let filler = "\(disk.path)/filler"
        for room in stride(from: 0, through: 64, by: 4) {
            try Bytes.write([UInt8](repeating: 1, count: (disk.free - room * 1024) / 4096 * 4096), to: filler)
            let error = await storeError { await (try Store.open(directory: state, key: KeyChoice(.file))).close() }
            #expect([nil, .full].contains(error?.kind), "\(String(describing: error)) with \(room) KiB")
            unlink(filler)
        }
        let store = try Store.open(directory: state, key: KeyChoice(.file))
        try await store.begin(Samples.session())
        await store.close()
    }

    @Test(
        "On a disk that cannot be written a store does not open, and says why",
        .enabled(if: SmallDisk.isPossible, "only root can mount one"))
    func readOnly() async throws {
        let disk = try SmallDisk(kibibytes: 1024)
        let state = "\(disk.path)/postern"
        await (try Store.open(directory: state, key: KeyChoice(.file))).close()
        try disk.remount("ro")
        #expect(await storeError { try Store.open(directory: state, key: KeyChoice(.file)) }?.kind == .readOnly)
        try disk.remount("rw")
        _ = try Store.open(directory: state, key: KeyChoice(.file))
    }
}

/// A file system in memory with little room, unmounted when the test releases it.
final class SmallDisk {
    private let directory: TemporaryDirectory
    var path: String { directory.path }

    /// Root may still lack the right to mount, in a container for instance: tried once.
    static let isPossible: Bool = (try? SmallDisk(kibibytes: 64)) != nil

    init(kibibytes: Int) throws {
        directory = try TemporaryDirectory()
        try Self.run("mount", "-t", "tmpfs", "-o", "size=\(kibibytes)k,mode=0700", "none", directory.path)
    }

    deinit { try? Self.run("umount", "-l", directory.path) }

    func remount(_ option: String) throws { try Self.run("mount", "-o", "remount,\(option)", path) }

    /// Bytes that can still be written.
    var free: Int {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return 0 }
        return Int(status.f_bavail) * Int(status.f_bsize)
    }

    private static func run(_ arguments: String...) throws {
        let status = try TestProcess.run(arguments[0], Array(arguments.dropFirst()), errors: .dropped).status
        guard status == 0 else { throw SystemFailure(call: arguments[0], code: status) }
    }
}
