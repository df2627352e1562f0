import Glibc
import PosternApplication
import PosternCore
import PosternStore
import StrictJSON
import Testing

/// A store with more credentials than are read at once: the others come while calls are answered, and none of those notices.
@Suite("A store of hundreds of credentials", .serialized)
struct LargeStoreTests {
    private static let count = 64 + 256 + 10

    private func filled() throws -> TestApplication {
        let daemon = try TestApplication()
        daemon.providerAnswers()
        #expect(daemon.beginSignIn().isCompleted)
        let now = daemon.clock.now
        daemon.run { [opener = daemon.opener] _ in
            guard let store = opener.store, let first = try? await store.credential(providerID: "work", subject: "42") else { return }
            let changes = (1..<Self.count).map { number in
                var credential = first
                credential.subject = "account-\(number)"
                credential.grant.accessToken = Secret("at-of-\(number)")
                credential.grant.expiresAt = now.adding(seconds: 86_400)
                return AccountChanges(credential: .grant(credential))
            }
            try? await store.apply(changes)
        }
        daemon.call("Lock")
        return daemon
    }

    private func subjects(_ daemon: TestApplication) -> Set<String> {
        Set((daemon.call("ListCredentials")["credentials"]?.arrayValue ?? []).compactMap { $0.objectValue?["uid"]?.stringValue })
    }

    @Test("While it opens, every token request is answered correctly, or the store is still locked")
    func token() throws {
        let endings = try everyInterleaving {
            try filled()
        } first: {
            $0.call("Unlock", settling: false)
        } second: {
            $0.call("GetAccessToken", ["providerID": "work", "uid": .string("account-\(Self.count - 1)")], settling: false)
        } check: { daemon, unlock, reply, moment in
            #expect(unlock.error == nil && reply.lastWords == 1, moment)
            if reply.error == nil { #expect(reply["accessToken"] == .string("at-of-\(Self.count - 1)"), moment) }
            #expect(daemon.counts == [1, Int64(Self.count)], moment)
            return reply.errorName ?? "token"
        }
        #expect(Set(endings.keys) == ["StoreLocked", "token"])
    }

    @Test("The account that is not named is ambiguous from the first moment, and the list is whole")
    func ambiguous() throws {
        let endings = try everyInterleaving {
            try filled()
        } first: {
            $0.call("Unlock", settling: false)
        } second: {
            (token: $0.call("GetAccessToken", ["providerID": "work"], settling: false), list: $0.call("ListCredentials", settling: false))
        } check: { daemon, _, replies, moment in
            if replies.list.error == nil { #expect(replies.list["credentials"]?.arrayValue?.count == Self.count, moment) }
            return replies.token.errorName ?? "token"
        }
        #expect(Set(endings.keys) == ["StoreLocked", "AmbiguousAccount"])
    }

    @Test("A credential that goes while the others are read does not come back with them")
    func revoked() throws {
        let endings = try everyInterleaving {
            try filled()
        } first: {
            $0.call("Unlock", settling: false)
        } second: {
            $0.call("RevokeCredential", ["providerID": "work", "uid": "account-70"], settling: false)
        } check: { daemon, _, reply, moment in
            let isRevoked = reply.error == nil
            #expect(subjects(daemon).contains("account-70") == !isRevoked, moment)
            #expect(daemon.counts == [1, Int64(isRevoked ? Self.count - 1 : Self.count)], moment)
            return reply.errorName ?? "revoked"
        }
        #expect(Set(endings.keys) == ["StoreLocked", "revoked"])
    }

    @Test("A sign-in that ends while the others are read is what is kept of its account")
    func signedIn() throws {
        try everyInterleaving {
            try filled()
        } first: {
            $0.call("Unlock", settling: false)
        } second: {
            $0.beginSignIn()
        } check: { daemon, _, reply, moment in
            #expect(subjects(daemon).count == Self.count, moment)
            return reply.errorName ?? "signed in"
        }
    }

    @Test("A lock that comes while the others are read leaves none of them in memory")
    func lock() throws {
        try everyInterleaving {
            try filled()
        } first: {
            $0.call("Unlock", settling: false)
        } second: {
            $0.call("Lock", settling: false)
        } check: { daemon, _, lock, moment in
            #expect(lock.error == nil, moment)
            if daemon.call("GetStatus")["locked"] == true {
                #expect(daemon.call("GetAccessToken", ["providerID": "work"]).errorName == "StoreLocked", moment)
                #expect(daemon.call("Unlock").error == nil, moment)
            }
            #expect(subjects(daemon).count == Self.count, moment)
            return "locked"
        }
    }

    @Test("Notices begin when all are known: nothing is reported that was not loaded yet")
    func attention() throws {
        let daemon = try filled()
        let told = daemon.call("Monitor", more: true)
        #expect(daemon.call("Unlock").error == nil)
        #expect(told.replies.contains { $0["kind"] == "credentialStateChanged" } == false)
        #expect(subjects(daemon).count == Self.count)
    }

    // MARK: Damage

    /// A store of more than a mebibyte, one page of which is no page any more.
    private func damaged() throws -> TestApplication {
        let daemon = try TestApplication()
        let now = daemon.clock.now
        daemon.run { [opener = daemon.opener] _ in
            let changes = (0..<1500).map { number in
                AccountChanges(
                    upsertUser: User(
                        uid: "uid-\(number)", displayName: String(repeating: "x", count: 500), email: "person\(number)@example.com",
                        addressProof: .none, photoURL: nil, identities: [], createdAt: now, lastSignInAt: now))
            }
            try? await opener.store?.apply(changes)
        }
        daemon.run { await $0.close() }
        let file = open("\(daemon.directory)/state/postern.db", O_RDWR)
        defer { close(file) }
        let middle = lseek(file, 0, SEEK_END) / 8192 * 4096
        let garbage = [UInt8](repeating: 0xA5, count: 64)
        #expect(middle > 512 * 1024 && pwrite(file, garbage, garbage.count, middle) == garbage.count)
        return daemon
    }

    @Test("A large store that is damaged is told of once, and closed: a second after it was opened, or at the first change", arguments: [false, true])
    func damage(changes: Bool) throws {
        // Its files go with it.
        let before = try damaged()
        defer { withExtendedLifetime(before) {} }
        let daemon = try before.restarted()
        func told() -> Int { daemon.log.entries.count { $0.level == .error && "\($0.message)".contains("the database is corrupt") } }
        #expect(daemon.call("GetStatus")["locked"] == false && told() == 0)
        if changes { #expect(daemon.call("SignIn", ["providerID": "work", "presentation": "client"], more: true).errorName == "StoreDamaged") }
        daemon.pass(seconds: 2)
        #expect(told() == 1)
        // As often as somebody asks, it is looked at whole first, and stays closed.
        for _ in 0..<3 {
            let status = daemon.call("GetStatus")
            #expect(status["locked"] == true && "\(status["storeProblem"] ?? .null)".contains("the database is corrupt"))
            #expect(daemon.call("ListCredentials").errorName == "StoreDamaged")
            daemon.pass(seconds: 6)
        }
        #expect(told() == 1)
        // Nor does it open unchecked by being locked and unlocked.
        daemon.call("Lock")
        #expect(daemon.call("Unlock").errorName == "StoreDamaged" && daemon.call("ListCredentials").errorName == "StoreLocked")
    }
}
