import Glibc
import PosternApplication
import PosternCore
import PosternInterface
import StrictJSON
import Testing

@testable import PosternStore

/// What is asked of a large store right after it was opened is answered out of the rows that it takes, as it is answered later out of all.
@Suite("Calls before a store of hundreds of credentials was read", .serialized)
struct EarlyCallTests {
    /// More at one provider than are read at once, and more than one page of those.
    private static let count = 64 + 256 + 10

    private static let configuration =
        TestApplication.example + """

            serves = ["https://work.example"]
            [account.exact]
            provider = "work"
            login = { id = "account-300" }
            [account.address]
            provider = "work"
            login = "Person310@example.com"
            [account.unknown]
            provider = "work"
            login = "nobody"
            """
        + ["other", "none"].map { id in
            """

            [provider.\(id)]
            kind = "oauth2"
            client-id = "client"
            authorization-endpoint = "https://\(id).example/authorize"
            token-endpoint = "https://\(id).example/token"
            userinfo-endpoint = "https://\(id).example/userinfo"
            serves = ["https://\(id).example"]
            profile = { uid = "id", display-name = "name", email = "email" }
            """
        }.joined()

    /// Open, with its first credentials read and no other.
    ///
    /// - Parameters:
    ///   - change: happens to the store before that.
    ///   - tree: is garbage then.
    private func opened(
        change: @escaping @Sendable (Store) async throws -> Void = { _ in }, garbageIn tree: String? = nil
    ) throws -> TestApplication {
        let page = Number()
        let daemon = try TestApplication(Self.configuration)
        daemon.providerAnswers()
        #expect(daemon.beginSignIn().isCompleted)
        let end = daemon.clock.now.adding(seconds: 86_400)
        daemon.run { [opener = daemon.opener] _ in
            do {
                let store = try #require(opener.store)
                let first = try #require(try await store.credential(providerID: "work", subject: "42"))
                var changes = (1..<Self.count).map { number in
                    var credential = first
                    credential.subject = "account-\(number)"
                    credential.email = "person\(number)@example.com"
                    credential.grant.accessToken = Secret("at-of-\(number)")
                    credential.grant.expiresAt = end
                    return AccountChanges(credential: .grant(credential))
                }
                var only = first
                (only.providerID, only.subject, only.grant.expiresAt) = ("other", "only", end)
                only.binding.authority.replace("work.example", with: "other.example")
                only.binding.tokenOrigin?.replace("work.example", with: "other.example")
                changes.append(AccountChanges(credential: .grant(only)))
                try await store.apply(changes)
                try await change(store)
                if let tree { page.value = try await store.rootPage(of: tree) }
            } catch { Issue.record(error) }
        }
        daemon.call("Lock")
        if tree != nil {
            let file = open("\(daemon.directory)/state/postern.db", O_RDWR)
            defer { close(file) }
            let garbage = [UInt8](repeating: 0xA5, count: 64)
            #expect(pwrite(file, garbage, garbage.count, (page.value - 1) * 4096) == garbage.count)
        }
        #expect(daemon.call("Unlock").error == nil)
        return daemon
    }

    /// Rows that came out of the store since it was opened.
    private func rows(_ daemon: TestApplication) -> Int {
        let rows = Number()
        daemon.run { [opener = daemon.opener] _ in rows.value = (try? await opener.store?.rowsRead) ?? -1 }
        return rows.value
    }

    /// Unchecked: written before it is read, on the same thread.
    private final class Number: @unchecked Sendable {
        var value = -1
    }

    struct Call: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var method = "GetAccessToken"
        var parameters: JSONObject
        /// That it takes.
        var rows: Int
        /// Nil: it succeeds.
        var error: String?
    }

    private static let calls = [
        Call(testDescription: "an account", parameters: ["providerID": "work", "uid": "account-329"], rows: 1),
        Call(testDescription: "an account that was read at the start", parameters: ["providerID": "work", "uid": "account-3"], rows: 0),
        Call(testDescription: "nobody's account", parameters: ["providerID": "work", "uid": "x"], rows: 0, error: "SignInRequired"),
        Call(testDescription: "the only account of a provider", parameters: ["providerID": "other"], rows: 1),
        Call(testDescription: "a provider where nobody signed in", parameters: ["providerID": "none"], rows: 0, error: "SignInRequired"),
        Call(testDescription: "no provider", parameters: ["providerID": "x"], rows: 0, error: "ProviderNotFound"),
        Call(testDescription: "an identifier", parameters: ["providerID": "other", "account": "only"], rows: 1),
        // And all others at the provider: one of its names may claim the account.
        Call(
            testDescription: "an identifier where accounts have names", parameters: ["providerID": "work", "account": "account-200"],
            rows: count),
        Call(testDescription: "a name for an identifier", parameters: ["providerID": "exact"], rows: 1 + count),
        Call(testDescription: "a name for an address", parameters: ["providerID": "address"], rows: count),
        Call(testDescription: "a name for nobody", parameters: ["providerID": "unknown"], rows: count, error: "SignInRequired"),
        Call(testDescription: "an address", parameters: ["providerID": "work", "account": "PERSON320@example.com"], rows: count),
        Call(testDescription: "an address of nobody", parameters: ["providerID": "work", "account": "x@x"], rows: count, error: "AmbiguousAccount"),
        Call(testDescription: "anybody of hundreds", parameters: ["providerID": "work"], rows: count, error: "AmbiguousAccount"),
        Call(
            testDescription: "no ID token", method: "GetIDToken", parameters: ["providerID": "work", "uid": "account-329"], rows: 1,
            error: "UnsupportedFlow"),
        Call(testDescription: "whose URL it is", method: "FindAccount", parameters: ["url": "https://other.example/x"], rows: 1),
        Call(testDescription: "nobody's URL", method: "FindAccount", parameters: ["url": "https://none.example/x"], rows: 0),
        Call(
            testDescription: "a request", method: "AuthorizeRequest", parameters: ["method": "GET", "url": "https://other.example/x"], rows: 1),
        Call(
            testDescription: "a request where accounts have names", method: "AuthorizeRequest",
            parameters: ["method": "GET", "url": "https://work.example/x", "account": "exact"], rows: 1 + count),
        Call(
            testDescription: "a token that a server refused, of nobody", method: "ReportRefusedToken",
            parameters: ["url": "https://other.example/x", "accessToken": "x"], rows: 1),
        Call(
            testDescription: "a token that another server refused", method: "ReportRefusedToken",
            parameters: ["url": "https://none.example/x", "accessToken": "at-of-3"], rows: 0),
        Call(testDescription: "all", method: "ListCredentials", parameters: [:], rows: count + 1 - 64),
    ]

    /// Those that need the store and read no credential of the cache, or all of them, whatever the call says.
    private static let others: Set<Interface.Method> = [
        .signIn, .listSessions, .attachSession, .cancelSession, .deliverRedirect, .signInWithCredential, .signInAnonymously, .createUser,
        .getCurrentUser, .updateUser, .unlinkProvider, .fetchProviders, .signOut, .deleteUser, .getUserToken, .enrollSecondFactor,
        .confirmSecondFactor, .removeSecondFactor, .startSecondFactor, .resolveSecondFactor, .importCredential, .revokeCredential,
    ]

    @Test("Of every method that needs the store it is known whether it reads credentials")
    func methods() {
        let called = Set(Self.calls.map(\.method))
        let needing = Interface.Method.allCases.filter { $0.needs.contains(.store) }
        #expect(Set(needing).subtracting(Self.others).map(\.rawValue).sorted() == called.sorted())
    }

    @Test("A call takes no more rows than it is about, and is answered as when all have been read", arguments: calls)
    func rows(_ call: Call) throws {
        let daemon = try opened()
        let before = rows(daemon)
        let early = daemon.call(call.method, call.parameters)
        let taken = rows(daemon) - before
        #expect(taken == call.rows)
        #expect(early.errorName == call.error && early.lastWords == 1, "\(early.message)")
        // What it took is known from then on.
        let known = rows(daemon)
        #expect(daemon.call(call.method, call.parameters).errorName == call.error && rows(daemon) == known)
        daemon.pass(seconds: 2)
        let later = daemon.call(call.method, call.parameters)
        #expect(later.replies == early.replies && later.error?.object == early.error?.object && later.errorName == early.errorName)
        #expect(!daemon.isAsked)
        #expect(daemon.counts == [1, Int64(Self.count + 1)])
    }

    @Test("Those who want the same at the same time wait for one reading of it")
    func together() throws {
        let daemon = try opened()
        let before = rows(daemon)
        let replies = (0..<20).map { _ in daemon.call("GetAccessToken", ["providerID": "work"], settling: false) }
        daemon.settle()
        #expect(replies.allSatisfy { $0.errorName == "AmbiguousAccount" } && rows(daemon) - before == Self.count)
    }

    @Test("A renewal, and the revocation of what it brought, find the rest where it was")
    func changed() throws {
        let daemon = try opened()
        let account: JSONObject = ["providerID": "work", "uid": "account-300"]
        let renewed = daemon.call("GetAccessToken", ["providerID": "work", "uid": "account-300", "forceRefresh": true])
        #expect(renewed["accessToken"] == "at-2")
        #expect(daemon.call("GetAccessToken", account)["accessToken"] == "at-2")
        #expect(daemon.call("RevokeCredential", ["providerID": "work", "uid": "account-301"]).error == nil)
        daemon.pass(seconds: 2)
        #expect(daemon.call("GetAccessToken", account)["accessToken"] == "at-2")
        #expect(daemon.call("GetAccessToken", ["providerID": "work", "uid": "account-301"]).errorName == "SignInRequired")
        #expect(daemon.counts == [1, Int64(Self.count)])
    }

    // MARK: At every moment

    @Test("A store that is locked while a call reads its rows answers it, or refuses it, and leaves nothing in memory")
    func lock() throws {
        for parameters: JSONObject in [["providerID": "work", "uid": "account-329"], ["providerID": "other"]] {
            let endings = try everyInterleaving {
                try opened()
            } first: {
                $0.call("GetAccessToken", parameters, settling: false)
            } second: {
                $0.call("Lock", settling: false)
            } check: { daemon, reply, lock, moment in
                #expect(reply.lastWords == 1 && lock.error == nil, moment)
                #expect(daemon.call("GetAccessToken", parameters).errorName == "StoreLocked", moment)
                #expect(daemon.call("Unlock").error == nil, moment)
                #expect(daemon.call("GetAccessToken", parameters)["accessToken"] != nil, moment)
                return reply.errorName ?? "token"
            }
            #expect(Set(endings.keys).isSubset(of: ["StoreLocked", "token"]) && endings["token"] != nil)
        }
    }

    @Test("A credential that is revoked while others read it does not come back")
    func revoked() throws {
        for parameters: JSONObject in [["providerID": "work", "uid": "account-329"], ["providerID": "work"]] {
            try everyInterleaving {
                try opened()
            } first: {
                $0.call("GetAccessToken", parameters, settling: false)
            } second: {
                $0.call("RevokeCredential", ["providerID": "work", "uid": "account-329"], settling: false)
            } check: { daemon, reply, revocation, moment in
                #expect(reply.lastWords == 1 && revocation.error == nil, moment)
                for seconds: Int64 in [0, 2] {
                    daemon.pass(seconds: seconds)
                    #expect(
                        daemon.call("GetAccessToken", ["providerID": "work", "uid": "account-329"]).errorName == "SignInRequired", moment)
                }
                return reply.errorName ?? "token"
            }
        }
    }

    // MARK: Damage

    @Test("A row that cannot be opened counts as missing from then on, and is reported once")
    func damagedRow() throws {
        let daemon = try opened { try await $0.damageCredential(at: 320) }
        func told() -> Int { daemon.log.entries.count { $0.level == .error } }
        let damaged: JSONObject = ["providerID": "work", "uid": "account-319"]
        #expect(daemon.call("GetAccessToken", damaged).errorName == "SignInRequired")
        #expect(daemon.call("GetAccessToken", ["providerID": "work", "account": "account-318"])["accessToken"] == "at-of-318")
        #expect(daemon.call("GetAccessToken", ["providerID": "work"]).errorName == "AmbiguousAccount")
        daemon.pass(seconds: 2)
        #expect(daemon.call("GetAccessToken", damaged).errorName == "SignInRequired")
        #expect(told() == 1)
    }

    @Test("An index that cannot be read closes the store", arguments: ["account-329", nil])
    func damagedIndex(uid: String?) throws {
        // A small one would be looked at whole when it is opened.
        let daemon = try opened(
            change: { try await $0.setSetting("large", to: ["text": .string(String(repeating: "x", count: 2 << 20))]) },
            garbageIn: "sqlite_autoindex_credentials_1")
        var parameters: JSONObject = ["providerID": "work"]
        parameters["uid"] = uid.map { .string($0) }
        #expect(daemon.call("GetAccessToken", parameters).errorName == "StoreDamaged")
        #expect(daemon.call("ListCredentials").errorName == "StoreDamaged")
        #expect(daemon.call("GetStatus")["locked"] == true)
        #expect(daemon.log.entries.count { $0.level == .error } == 1)
    }
}

extension Store {
    fileprivate var rowsRead: Int { get throws { try tables.connection.rowsRead } }

    fileprivate func damageCredential(at row: Int64) throws {
        _ = try tables.connection.run("UPDATE credentials SET sealed = x'00' WHERE rowid = ?", [.integer(row)])
    }

    fileprivate func rootPage(of tree: String) throws -> Int {
        Int(
            try tables.connection.first("SELECT rootpage FROM sqlite_master WHERE name = ?", [.text(tree)]) {
                (row: borrowing Row) throws(StoreError) in try row.integer(0)
            } ?? 0)
    }
}
