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

    @Test("Of a handle, a resolver and a result that wait since before, nothing shows the user")
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
        let challenge = try await store.change { accounts throws(AccountFailure) in (try accounts.challenge("challenge-a", now: Samples.now), AccountChanges()) }
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

    // MARK: Whose address it is

    struct EarlierUser: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var verified = true
        var email: String? = "ada@gmail.com"
        var provider = "google.com"
        var identityEmail = "Ada@gmail.com"
        var identityVerified = true
        var proof: AddressProof
    }

    private static let users = [
        EarlierUser(testDescription: "Google, for an address of its own", proof: .authority),
        EarlierUser(testDescription: "Apple, for any", email: "ada@example.com", provider: "apple.com", identityEmail: "ada@example.com", proof: .authority),
        EarlierUser(testDescription: "Google, for an address elsewhere", email: "ada@example.com", identityEmail: "ada@example.com", proof: .provider),
        EarlierUser(testDescription: "Google, for another address than the user's", email: "ada@example.com", proof: .provider),
        EarlierUser(testDescription: "Google, which says that it has not checked it", identityVerified: false, proof: .provider),
        EarlierUser(testDescription: "a provider that may be anybody's", provider: "plain", proof: .provider),
        EarlierUser(testDescription: "GitHub", provider: "github.com", proof: .provider),
        EarlierUser(testDescription: "an address that was typed", verified: false, proof: .none),
        EarlierUser(testDescription: "no address", verified: false, email: nil, proof: .none),
    ]

    @Test("An address counts as proved where an account of Google or Apple proves it, and elsewhere as told", arguments: users)
    func addressProofs(row: EarlierUser) async throws {
        var user = Samples.user(
            identities: [
                Identity(
                    providerID: row.provider, subject: "1", email: row.identityEmail, emailVerified: row.identityVerified)
            ])
        user.email = row.email
        user.secondFactors = [SecondFactor(kind: .totp, uid: "factor", enrolledAt: Samples.now)]
        try await earlier {
            try await $0.apply(AccountChanges(upsertUser: user, signIn: Samples.signIn(app: "default", uid: user.uid)))
        } _: { connection, sealer in
            try Cell.user.rewrite(connection, sealer) { $0.asBeforeProofs(verified: row.verified) }
        }
        let store = try opened()
        user.addressProof = row.proof
        #expect(try await store.user(uid: user.uid) == user)
        #expect(try await store.current(app: "default")?.user == user)
        #expect(try await store.pragmas(["user_version"]) == [3])
        await store.close()
        // Written once, and not judged again.
        #expect(try await opened().user(uid: user.uid) == user)
    }

    @Test("What the step takes for an authority is what is built in")
    func builtInAuthorities() {
        for provider in Catalogue.providers {
            for email in ["ada@gmail.com", "ada@example.com", "ada@badgmail.com", "ada@gmail.com.example"] {
                let identity = Identity(providerID: provider.id, subject: "1", email: email, emailVerified: true)
                let isAuthority = provider.vouches(for: ProviderProfile(identity: identity, document: [:]))
                #expect(Migration.isAuthority(provider.id, for: email) == isAuthority, "\(provider.id) \(email)")
            }
        }
    }

    @Test("A row that does not open keeps no other from being brought up to date")
    func damagedUser() async throws {
        try await earlier {
            for mark in ["a", "b"] { try await $0.apply(AccountChanges(upsertUser: Samples.user(mark))) }
        } _: { connection, sealer in
            try Cell.user.rewrite(connection, sealer) { $0.asBeforeProofs(verified: true) }
            try connection.run("UPDATE users SET sealed = ? WHERE uid = ?", [.blob([1, 2, 3]), .text("uid-b")])
        }
        let store = try opened()
        #expect(try await store.user(uid: "uid-a")?.addressProof == .provider)
        #expect(await storeError { try await store.user(uid: "uid-b") }?.kind == .damagedRow)
    }

    @Test("A Firebase project's user of before is as verified as the project said")
    func firebaseUser() async throws {
        var session = FirebaseSession(
            id: "1", app: "app", project: "project", user: Samples.user(),
            tokens: FirebaseTokens(
                idToken: Secret("id"), refreshToken: Secret("refresh"), expiresAt: Samples.now, uid: "uid-a", audience: "project",
                authenticatedAt: Samples.now, signInProvider: "google.com", secondFactor: nil))
        try await earlier { [session] in
            var changes = AccountChanges()
            changes.firebaseSession = session
            try await $0.apply(changes)
        } _: { connection, sealer in
            try Cell.firebaseSession.rewrite(connection, sealer) { $0.changing("user") { $0 = $0.asBeforeProofs(verified: true) } }
        }
        session.user.addressProof = .provider
        #expect(try await opened().firebaseSession(app: "app", project: "project") == session)
    }

    @Test("The authority takes over whom another provider's user had squatted before, with factor and all")
    func squatterOfBefore() async throws {
        let claim = Identity(providerID: "plain", subject: "s", email: "ada@example.com", emailVerified: true)
        var squatted = User(
            uid: "uid-a", email: "ada@example.com", identities: [claim], hasPassword: true, createdAt: Samples.now, lastSignInAt: Samples.now)
        squatted.secondFactors = [SecondFactor(kind: .totp, uid: "factor", enrolledAt: Samples.now)]
        try await earlier { [squatted] in
            try await $0.apply(AccountChanges(upsertUser: squatted, signIn: Samples.signIn(app: "squatter", uid: "uid-a")))
        } _: { connection, sealer in
            try Cell.user.rewrite(connection, sealer) { $0.asBeforeProofs(verified: true) }
        }
        let owner = Identity(providerID: "work", subject: "1", email: "ada@example.com", emailVerified: true)
        let store = try opened()
        try await store.change { accounts throws(AccountFailure) in
            let question = IdentityQuestion(
                identity: owner, isAuthority: true, intent: .signIn, app: "owner", oneAccountPerEmail: true,
                proof: CredentialProof(.flow, at: Samples.now), newUID: "new", now: Samples.now)
            let facts = try accounts.facts(for: owner, app: "owner")
            let decision = try AccountFailure.wrapping(rule: AccountRules.decide(question, facts))
            return ((), decision.changes)
        }
        let user = try await store.user(uid: "uid-a")
        #expect(user?.identities == [owner] && user?.hasPassword == false && user?.secondFactors.isEmpty == true)
        #expect(user?.addressProof == .authority)
        #expect(try await store.current(app: "squatter") == nil)
        #expect(try await store.current(app: "owner")?.user.uid == "uid-a")
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

        static let user = Cell(table: "users", key: "uid", id: .text("uid-a"), place: Place(.user, "uid-a"))

        static let firebaseSession = Cell(
            table: "firebase_sessions", key: "app", id: .text("app"), place: Place(.firebaseSession, "app"))

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

    /// A user's record.
    func asBeforeProofs(verified: Bool) -> JSONObject {
        var copy = self
        copy["addressProof"] = nil
        copy["emailVerified"] = .bool(verified)
        return copy
    }

    /// Without a member of a member.
    func without(_ name: String, in parent: String) -> JSONObject { changing(parent) { $0[name] = nil } }
}
