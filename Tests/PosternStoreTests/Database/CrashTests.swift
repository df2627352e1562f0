import Glibc
import PosternCore
import Testing

@testable import PosternStore

/// `kill -9` at random instants. The instants differ with every run; what must hold does not.
@Suite struct CrashTests {
    let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    @Test("Every sign-in that was acknowledged is there after kill -9, and every other one whole or not at all")
    func acknowledged() async throws {
        var acknowledged: Set<Int> = []
        for round in 0..<20 {
            let writer = try CrashWriter(directory: directory.path, first: round * 1_000_000)
            // Some rounds are cut off while the store is opened, the others after some sign-ins.
            for _ in 0..<Int.random(in: 0...12) {
                guard let number = writer.nextAcknowledged() else { break }
                acknowledged.insert(number)
            }
            usleep(UInt32.random(in: 0...4000))
            acknowledged.formUnion(writer.kill())
            try await check(acknowledged)
        }
        #expect(acknowledged.count > 20)
    }

    private func check(_ acknowledged: Set<Int>) async throws {
        let store = try Store.open(directory: directory.path, key: KeyChoice(.file))
        let sessions = try await store.loadSessions(now: Timestamp(seconds: 1_800_000_000))
        let credentials = try await store.credentials()
        #expect(sessions.damaged.isEmpty)
        #expect(credentials.damaged.isEmpty)
        let completed = Set(sessions.values.filter { $0.phase == .completed }.compactMap { Int($0.id) })
        #expect(acknowledged.isSubset(of: completed))
        #expect(completed == Set(credentials.values.compactMap { Int($0.subject) }))
        for session in sessions.values {
            #expect(session.stateHashes == [Array("state-\(session.id)".utf8)])
            #expect(session.phase != .authorizationPending || session.secrets?.codeVerifier.isEmpty == false)
        }
        // The user was changed last by the last sign-in that is there, whether or not it was acknowledged.
        let user = try await store.current(app: "default")?.user
        #expect(user?.displayName == completed.max().map { "\($0)" })
        try await checkSecondFactors(store, acknowledged)
        await store.close()
    }

    /// The code, the first factor that it was for, and what came of them: all of it, or nothing.
    private func checkSecondFactors(_ store: Store, _ acknowledged: Set<Int>) async throws {
        let now = Timestamp(seconds: 1_800_000_000)
        let used = try await store.change { accounts throws(AccountFailure) in
            let user = try accounts.user(uid: "uid")
            let key = try user.flatMap { user throws(AccountFailure) in
                try user.secondFactors.first.flatMap { factor throws(AccountFailure) in try accounts.factorKey(factor, of: user) }
            }
            return (key?.lastStep, AccountChanges())
        }
        #expect((used ?? -1) >= Int64(acknowledged.max() ?? -1))
        guard let used else { return }
        let (attempts, challenge) = try await store.change { accounts throws(AccountFailure) in
            ((try accounts.attempts(of: .messages), try accounts.challenge("challenge-\(used)", now: now)), AccountChanges())
        }
        #expect(attempts?.count == used || (used == 0 && attempts == nil))
        #expect(challenge == nil)
    }

    @Test("A store that is being made is made by the next start, with the key of the first")
    func making() async throws {
        for _ in 0..<20 {
            let directory = try TemporaryDirectory()
            let writer = try CrashWriter(directory: directory.path, first: 0)
            usleep(UInt32.random(in: 0...30_000))
            let acknowledged = writer.kill()
            let key = directory.names.contains("key") ? try KeyFile.read(at: directory.file("key")) : nil
            let store = try Store.open(directory: directory.path, key: KeyChoice(.automatic))
            #expect(try await store.credentials().values.count >= acknowledged.count)
            if let key { #expect(try KeyFile.read(at: directory.file("key")).bytes == key.bytes) }
            await store.close()
            #expect(directory.names == ["key", "lock", "postern.db"])
        }
    }
}
