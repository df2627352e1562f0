import PosternCore
import PosternCrypto
import StrictJSON
import Testing

@testable import PosternStore

/// Stores as versions before this one left them: files of their schema, with records that lack what came later.
@Suite struct EarlierVersionTests {
    let directory: TemporaryDirectory
    init() throws { directory = try TemporaryDirectory() }

    /// The schema without proofs of credentials and of addresses.
    private static let second: [Migration] = [.first, .accounts]

    private func opened() throws -> Store { try Store.open(directory: directory.path, key: FixedKey()) }

    /// A store of the second schema, as it was when the daemon ended.
    private func earlier(_ fill: (Store) async throws -> Void, _ wrote: (Connection, Sealer) throws -> Void) async throws {
        let store = try Store.open(directory: directory.path, key: FixedKey(), migrations: Self.second)
        try await fill(store)
        await store.close()
        let sealer = Sealer(key: try FixedKey().key, file: "")
        try withDatabase(in: directory) { connection in
            try wrote(connection, sealer)
            #expect(try Schema.version(of: connection) == 2)
        }
    }

    // MARK: How a credential came

    @Test("Of a handle, a resolver and a result that wait since before, nothing shows the person")
    func proofs() async throws {
        try await earlier {
            try await $0.apply(AccountChanges(upsertUser: Samples.user()))
            try await $0.add(Samples.handle())
            try await $0.add(Samples.challenge(), now: Samples.now)
            try await $0.begin(Samples.session())
            _ = try await $0.markExchanging(sessionID: "session-a")
            try await $0.finish(sessionID: "session-a", outcome: .completed(Samples.completed()))
        } _: { connection, sealer in
            try Cell.handle(sealer).rewrite(connection, sealer) { $0.without("proof", in: "credential") }
            try Cell.challenge(sealer).rewrite(connection, sealer) { $0.changing("purpose") { $0 = $0.without("proof", in: "completed") } }
            try Cell.outcome.rewrite(connection, sealer) { $0.without("proof", in: "completed") }
        }
        let store = try opened()
        var unknown = Samples.completed()
        unknown.proof = .unknown
        #expect(try await store.consumeHandle("handle-a", now: Samples.now)?.credential == unknown)
        let challenge = try await store.change { accounts in (try accounts.challenge("challenge-a", now: Samples.now), AccountChanges()) }
        #expect(challenge?.purpose == .provider(unknown, Samples.binding, .signIn))
        #expect(try await store.loadSessions(now: Samples.now).values.first?.outcome == .completed(unknown))
    }

    @Test("What is neither known nor missing is damaged", arguments: [["kind": "wish", "moment": 1], ["kind": "flow"], [:]] as [JSONObject])
    func badProof(proof: JSONObject) async throws {
        try await earlier {
            try await $0.add(Samples.handle())
        } _: { connection, sealer in
            try Cell.handle(sealer).rewrite(connection, sealer) { $0.changing("credential") { $0["proof"] = .object(proof) } }
        }
        let store = try opened()
        #expect(await storeError { try await store.consumeHandle("handle-a", now: Samples.now) }?.kind == .damagedRow)
    }

    // MARK: -

    /// One sealed value, by where it stands.
    private struct Cell {
        var table: String
        var column = "sealed"
        var key: String
        var id: SQLValue
        var place: Place

        static func handle(_ sealer: Sealer) -> Cell {
            let index = sealer.index(handle: "handle-a")
            return Cell(table: "handles", key: "handle_index", id: .blob(index), place: Place(.handle, index))
        }

        static func challenge(_ sealer: Sealer) -> Cell {
            let index = sealer.index(challenge: "challenge-a")
            return Cell(
                table: "challenges", key: "challenge_index", id: .blob(index), place: Place(.challenge, index, Array("uid-a".utf8)))
        }

        static let outcome = Cell(
            table: "sessions", column: "outcome", key: "id", id: .text("session-a"), place: Place(.sessionOutcome, "session-a"))

        /// As if it had been written so.
        func rewrite(_ connection: Connection, _ sealer: Sealer, _ change: (JSONObject) -> JSONObject) throws {
            let sealed = try connection.first("SELECT \(column) FROM \(table) WHERE \(key) = ?", [id]) {
                (row: borrowing Row) throws(StoreError) in try row.blob(0)
            }
            let changed = change(try sealer.open(try #require(sealed), at: place))
            try connection.run("UPDATE \(table) SET \(column) = ? WHERE \(key) = ?", [.blob(try sealer.seal(changed, at: place)), id])
        }
    }
}

extension JSONObject {
    /// With a member that is changed.
    func changing(_ name: String, _ change: (inout JSONObject) -> Void) -> JSONObject {
        var (copy, member) = (self, self[name]?.objectValue ?? JSONObject())
        change(&member)
        copy[name] = .object(member)
        return copy
    }

    /// Without a member of a member.
    func without(_ name: String, in parent: String) -> JSONObject { changing(parent) { $0[name] = nil } }
}
