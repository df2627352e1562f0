import PosternCore
import StrictJSON
import Testing

@testable import PosternStore

@Suite struct SessionTests {
    let directory: TemporaryDirectory
    let store: Store
    init() throws {
        directory = try TemporaryDirectory()
        store = try Store.open(directory: directory.path, key: FixedKey())
    }

    private func load() async throws -> [StoredSignIn] { try await store.loadSessions(now: Samples.now).values }

    @Test("Sessions come back as they were, in the order of their beginning")
    func roundTrip() async throws {
        var plain = Samples.session("c")
        plain.secrets = FlowSecrets(codeVerifier: Secret("v"))
        plain.session.request.loginHint = nil
        plain.session.request.parameters = [:]
        let sessions = [Samples.session("b"), Samples.session("a"), plain]
        for session in sessions { try await store.begin(session) }
        #expect(try await load() == sessions)
    }

    @Test("A session cannot begin twice, and a state belongs to one session")
    func duplicates() async throws {
        try await store.begin(Samples.session())
        #expect(await storeError { try await store.begin(Samples.session()) }?.kind == .conflict)
        var other = Samples.session("b")
        other.stateHashes = Samples.session("a").stateHashes
        #expect(await storeError { try await store.begin(other) }?.kind == .conflict)
        #expect(try await load() == [Samples.session()])
    }

    @Test("A state that is added stands after the others, and only while the session waits")
    func addingStates() async throws {
        try await store.begin(Samples.session())
        try await store.addState(hash: [1, 2, 3], to: "session-a")
        #expect(try await load().first?.stateHashes == Samples.session().stateHashes + [[1, 2, 3]])
        #expect(try await store.markExchanging(sessionID: "session-a"))
        for id in ["session-a", "unknown"] {
            #expect(await storeError { try await store.addState(hash: [4], to: id) }?.kind == .sessionOver)
        }
        #expect(try await load().first?.stateHashes.count == 3)
    }

    @Test("A further request token comes back with the others, and only while the session waits")
    func addingRequestTokens() async throws {
        var session = Samples.session()
        try await store.begin(session)
        var secrets = try #require(session.secrets)
        secrets.requestTokens.append(OAuth1Token(token: Secret("later"), secret: Secret("s")))
        session.secrets = secrets
        try await store.addRequestToken(secrets, device: nil, key: [9], to: session.id)
        let kept = try #require(try await load().first)
        #expect(kept.secrets == secrets && kept.stateHashes == Samples.session().stateHashes + [[9]])
        // A key that is taken leaves the tokens as they were.
        secrets.requestTokens.append(OAuth1Token(token: Secret("third"), secret: Secret("s")))
        #expect(await storeError { try await store.addRequestToken(secrets, device: nil, key: [9], to: session.id) }?.kind == .conflict)
        #expect(try await load().first?.secrets?.requestTokens.count == 2)
        #expect(try await store.markExchanging(sessionID: "session-a"))
        #expect(await storeError { try await store.addRequestToken(secrets, device: nil, key: [10], to: session.id) }?.kind == .sessionOver)
        #expect(try await load().first?.status == .exchanging)
    }

    @Test("A session that waits may wait longer, and never less long")
    func extending() async throws {
        try await store.begin(Samples.session())
        let first = Samples.session().expiresAt
        try await store.extend(sessionID: "session-a", until: first.adding(seconds: 60))
        try await store.extend(sessionID: "session-a", until: first)
        #expect(try await load().first?.expiresAt == first.adding(seconds: 60))
    }

    @Test("A session is taken up once, and what only its code needed is gone then")
    func exchangingOnce() async throws {
        try await store.begin(Samples.session())
        #expect(try await store.markExchanging(sessionID: "session-a"))
        #expect(try await !store.markExchanging(sessionID: "session-a"))
        #expect(try await !store.markExchanging(sessionID: "unknown"))
        let session = try #require(try await load().first)
        #expect(session.status == .exchanging)
        #expect(session.stateHashes == Samples.session().stateHashes)
    }

    @Test("Of a hundred that take a session up at once, one gets it")
    func exchangingRace() async throws {
        try await store.begin(Samples.session())
        let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 { group.addTask { try await store.markExchanging(sessionID: "session-a") } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(winners == 1)
    }

    @Test("A result is stored together with the changes it brings")
    func finishing() async throws {
        try await store.begin(Samples.session())
        _ = try await store.markExchanging(sessionID: "session-a")
        let outcome = SignInOutcome.completed(Samples.completed(user: Samples.user()))
        let until = Samples.now.adding(seconds: 5000)
        try await store.finish(
            sessionID: "session-a", outcome: outcome,
            changes: AccountChanges(
                upsertUser: Samples.user(), signIn: Samples.signIn(app: "default", uid: "uid-a"), credential: .grant(Samples.credential())),
            expiresAt: until)
        let session = try #require(try await load().first)
        #expect(session.phase == .completed)
        #expect(session.outcome == outcome)
        #expect(session.expiresAt == until)
        #expect(try await store.current(app: "default")?.user == Samples.user())
        #expect(try await store.counts() == (1, 1))
    }

    @Test(
        "Every failure comes back as it was",
        arguments: [
            SignInFailure.provider(.denied(error: "access_denied", description: "no")), .provider(.denied(error: "access_denied", description: nil)), .timedOut,
            .cancelled,
            .provider(.exchangeFailed(error: "invalid_grant", description: "old", message: "m")),
            .provider(.exchangeFailed(error: nil, description: nil, message: "m")),
            .provider(.unreachable(message: "m")), .provider(.invalidIDToken(reason: "nonce")), .provider(.providerNotConfigured(message: "m")), .provider(.scopeRejected(message: "m")),
            .provider(.requestRejected(error: "e", description: "d", message: "m")),
            .otherAccount(asked: "ada@example.com", signedIn: "grace@example.com"), .provider(.storeUnavailable(message: "m")),
            .provider(.internal(message: "m")),
        ])
    func failures(failure: SignInFailure) async throws {
        try await store.begin(Samples.session())
        try await store.finish(sessionID: "session-a", outcome: .failed(failure))
        let session = try #require(try await load().first)
        #expect(session.phase == .failed)
        #expect(session.outcome == .failed(failure))
        #expect(session.expiresAt == Samples.session().expiresAt)
    }

    @Test("A session that has ended, or is unknown, takes no result and changes no account")
    func finishingLate() async throws {
        try await store.begin(Samples.session())
        try await store.finish(sessionID: "session-a", outcome: .failed(.cancelled))
        for id in ["session-a", "unknown"] {
            let error = await storeError {
                try await store.finish(
                    sessionID: id, outcome: .completed(Samples.completed()), changes: AccountChanges(upsertUser: Samples.user()))
            }
            #expect(error?.kind == .sessionOver)
            let decided = await storeError {
                try await store.finish(sessionID: id) { _ throws(AccountFailure) in
                    Issue.record("it is not asked for a decision")
                    return (.failed(.timedOut), AccountChanges(upsertUser: Samples.user()))
                }
            }
            #expect(decided?.kind == .sessionOver)
        }
        #expect(try await store.counts().users == 0)
        #expect(try await load().first?.outcome == .failed(.cancelled))
    }

    @Test("A session whose code was not sent cannot complete")
    func completingEarly() async throws {
        try await store.begin(Samples.session())
        let error = await storeError { try await store.finish(sessionID: "session-a", outcome: .completed(Samples.completed())) }
        #expect(error?.kind == .sessionOver)
        #expect(try await load() == [Samples.session()])
    }

    @Test("Where the changes contradict what is stored, the session has not ended either")
    func conflictingChanges() async throws {
        try await store.begin(Samples.session())
        _ = try await store.markExchanging(sessionID: "session-a")
        let error = await storeError {
            try await store.finish(
                sessionID: "session-a", outcome: .completed(Samples.completed()),
                changes: AccountChanges(upsertUser: Samples.user(), signIn: Samples.signIn(app: "default", uid: "nobody")))
        }
        #expect(error?.kind == .conflict)
        #expect(try await load().first?.phase == .exchanging)
        #expect(try await store.counts() == (0, 0))
    }

    @Test("A result is handed over once, its secrets are wiped, and what its page shows stays")
    func delivering() async throws {
        try await store.begin(Samples.session())
        #expect(try await !store.addHandles([Samples.handle("early")], of: "session-a"))
        #expect(try await !store.markDelivered(sessionID: "session-a"))
        _ = try await store.markExchanging(sessionID: "session-a")
        try await store.finish(sessionID: "session-a", outcome: .completed(Samples.completed(user: Samples.user())))
        #expect(try await store.addHandles([Samples.handle("1"), Samples.handle("2"), Samples.handle("taken back")], of: "session-a"))
        try await store.deleteHandles([Secret("handle-taken back")])
        #expect(try await store.markDelivered(sessionID: "session-a"))
        #expect(try await !store.markDelivered(sessionID: "session-a"))
        #expect(try await !store.addHandles([Samples.handle("3")], of: "session-a"))

        let session = try #require(try await load().first)
        #expect(session.isDelivered)
        guard case .completed(let completed) = session.outcome else {
            Issue.record("the outcome is gone")
            return
        }
        #expect(completed.user == Samples.user())
        #expect(completed.profile.identity == Samples.identity())
        #expect(completed.profile.document.isEmpty)
        #expect(completed.grant.accessToken.isEmpty)
        #expect(completed.grant.refreshToken == nil)
        #expect(completed.grant.idToken == nil)
        #expect(completed.rawNonce == nil)

        for (mark, isGood) in ["1": true, "2": true, "3": false, "early": false, "taken back": false] {
            #expect(try await (store.consumeHandle("handle-\(mark)", now: Samples.now) != nil) == isGood, "\(mark)")
        }
    }

    @Test("A failure is handed over once too")
    func deliveringFailure() async throws {
        try await store.begin(Samples.session())
        try await store.finish(sessionID: "session-a", outcome: .failed(.timedOut))
        #expect(try await store.markDelivered(sessionID: "session-a"))
        #expect(try await !store.markDelivered(sessionID: "session-a"))
        #expect(try await load().first?.outcome == .failed(.timedOut))
    }

    @Test("Sessions that expired long ago are not loaded, and deleted when there is time; those just expired are not")
    func expiry() async throws {
        try await store.begin(Samples.session("old", expiresIn: -Store.sessionRetentionSeconds - 1))
        try await store.begin(Samples.session("recent", expiresIn: -Store.sessionRetentionSeconds))
        #expect(try await load().map(\.id) == ["session-recent"])
        #expect(try await store.hasSession("old") == true)
        try await store.tidy(now: Samples.now)
        #expect(try await store.hasSession("old") == false)
        #expect(try await load().map(\.id) == ["session-recent"])
        // A state of the one that went is free again.
        try await store.begin(Samples.session("old"))
    }

    @Test("Sessions are deleted by id, unknown ids passed over")
    func deleting() async throws {
        for mark in ["a", "b", "c"] { try await store.begin(Samples.session(mark)) }
        try await store.deleteSessions(ids: ["session-a", "unknown", "session-c"])
        try await store.deleteSessions(ids: [])
        #expect(try await load() == [Samples.session("b")])
    }

    @Test("A profile document as deep as the parser takes is kept and read again on the store's small stack")
    func deepDocument() async throws {
        let text = String(repeating: "[", count: JSON.defaultDepthLimit - 1) + String(repeating: "]", count: JSON.defaultDepthLimit - 1)
        let document = try JSON(parsing: "{\"d\":\(text)}").objectValue
        var completed = Samples.completed()
        completed.profile.document = try #require(document)
        try await store.begin(Samples.session())
        _ = try await store.markExchanging(sessionID: "session-a")
        try await store.finish(sessionID: "session-a", outcome: .completed(completed))
        #expect(try await load().first?.outcome == .completed(completed))
    }

    @Test("Odd texts and bytes come back unchanged")
    func oddValues() async throws {
        var session = Samples.session()
        session.session.id = "\u{0}'; DROP TABLE users; --\u{1F980}"
        session.session.requester = ""
        session.stateHashes = [[], [0], [UInt8](repeating: 255, count: 100)]
        session.secrets = FlowSecrets(codeVerifier: Secret([0, 255, 128]))
        session.session.request.parameters = ["": "\u{7F}\u{0}\"\\"]
        try await store.begin(session)
        #expect(try await load() == [session])
        #expect(try await store.markExchanging(sessionID: session.id))
    }
}

extension Store {
    fileprivate func hasSession(_ mark: String) throws -> Bool { try tables.sessions.phase(of: "session-\(mark)") != nil }
}
