import PosternCore
import PosternCrypto
import Testing

@testable import PosternStore

@Suite struct ChallengeTests {
    let directory: TemporaryDirectory
    let store: Store
    init() async throws {
        directory = try TemporaryDirectory()
        store = try Store.open(directory: directory.path, key: FixedKey())
        for mark in ["a", "b"] { try await store.apply(AccountChanges(upsertUser: Samples.user(mark))) }
    }

    private func found(_ id: String, now: Timestamp = Samples.now) async throws -> CodeChallenge? {
        try await store.change { accounts throws(AccountFailure) in (try accounts.challenge(id, now: now), AccountChanges()) }
    }

    private func attempts(_ subject: AttemptSubject) async throws -> Attempts? {
        try await store.change { accounts throws(AccountFailure) in (try accounts.attempts(of: subject), AccountChanges()) }
    }

    private func apply(_ change: (inout AccountChanges) -> Void) async throws {
        var changes = AccountChanges()
        change(&changes)
        try await store.apply(changes)
    }

    @Test("A challenge comes back as it was, whatever it is for", arguments: Samples.purposes)
    func whole(purpose: CodeChallenge.Purpose) async throws {
        var challenge = Samples.challenge("a", purpose: purpose)
        try await store.add(challenge, now: Samples.now)
        #expect(try await found("challenge-a") == challenge)
        #expect(try await found("challenge-b") == nil)
        challenge.wrongCodes = 3
        challenge.sent = Samples.sentCode
        try await apply { $0.upsertChallenge = challenge }
        #expect(try await found("challenge-a") == challenge)
        try await apply { $0.deleteChallenge = challenge.id }
        #expect(try await found("challenge-a") == nil)
    }

    @Test("A challenge is good until its time is over, and then deleted")
    func expiry() async throws {
        try await store.add(Samples.challenge("a"), now: Samples.now)
        #expect(try await found("challenge-a", now: Samples.now.adding(seconds: 599)) != nil)
        #expect(try await found("challenge-a", now: Samples.now.adding(seconds: 600)) == nil)
        try await store.add(Samples.challenge("b"), now: Samples.now.adding(seconds: 600))
        #expect(try await found("challenge-a") == nil)
    }

    @Test("A challenge goes with its user")
    func userGone() async throws {
        for mark in ["a", "b"] { try await store.add(Samples.challenge(mark), now: Samples.now) }
        try await apply { $0.deleteUser = "uid-a" }
        #expect(try await found("challenge-a") == nil)
        #expect(try await found("challenge-b") != nil)
        #expect(await storeError { try await store.add(Samples.challenge("a"), now: Samples.now) }?.kind == .conflict)
    }

    @Test("What ends all that waits makes first factors that were given worth nothing; signing out does in that app")
    func notTrustedAnyMore() async throws {
        for mark in ["a", "b"] { try await store.add(Samples.challenge(mark), now: Samples.now) }
        try await apply {
            $0.upsertUser = Samples.user("a")
            $0.endsPending = true
        }
        #expect(try await found("challenge-a") == nil)
        #expect(try await found("challenge-b") != nil)
        // An ordinary change of the user is none of that.
        try await apply { $0.upsertUser = Samples.user("b") }
        #expect(try await found("challenge-b") != nil)
    }

    @Test("Of a user's challenges so many wait; the oldest give way")
    func bounded() async throws {
        for number in 0..<CodeChallenge.limitPerUser + 3 {
            var challenge = Samples.challenge("a", id: "challenge-\(number)")
            challenge.expiresAt = Samples.now.adding(seconds: Int64(600 + number))
            try await store.add(challenge, now: Samples.now)
        }
        for number in 0..<5 { #expect(try await (found("challenge-\(number)") != nil) == (number >= 3)) }
        #expect(try await found("challenge-\(CodeChallenge.limitPerUser + 2)") != nil)
    }

    @Test("A challenge of one user does not become another's")
    func otherUser() async throws {
        try await store.add(Samples.challenge("a", id: "challenge"), now: Samples.now)
        try await apply { $0.upsertChallenge = Samples.challenge("b", id: "challenge") }
        #expect(try await found("challenge")?.uid == "uid-a")
        await store.close()
        try withDatabase(in: directory) { try $0.execute("UPDATE challenges SET uid = 'uid-b'") }
        let again = try Store.open(directory: directory.path, key: FixedKey())
        let error = await storeError {
            try await again.change { accounts throws(AccountFailure) in (try accounts.challenge("challenge", now: Samples.now), AccountChanges()) }
        }
        #expect(error?.kind == .damagedRow)
    }

    @Test("The step of a code that was taken is kept with the factor, and never goes back")
    func steps() async throws {
        var user = Samples.user("a")
        user.secondFactors = [SecondFactor(kind: .totp, uid: "factor", enrolledAt: Samples.now)]
        try await apply {
            $0.upsertUser = user
            $0.factorSecrets = ["factor": Secret("totp-secret")]
            $0.usedSteps = ["factor": 70]
        }
        for step: Int64 in [71, 60] { try await apply { $0.usedSteps = ["factor": step] } }
        // The user is written again, as at every sign-in.
        try await apply { $0.upsertUser = user }
        let key = try await store.change { [user] accounts throws(AccountFailure) in (try accounts.factorKey(user.secondFactors[0], of: user), AccountChanges()) }
        #expect(key == FactorKey(secret: Secret("totp-secret"), lastStep: 71))
        user.secondFactors = []
        try await apply { $0.upsertUser = user }
        user.secondFactors = [SecondFactor(kind: .totp, uid: "factor", enrolledAt: Samples.now)]
        try await apply { $0.upsertUser = user }
        let gone = try await store.change { [user] accounts throws(AccountFailure) in (try accounts.factorKey(user.secondFactors[0], of: user), AccountChanges()) }
        #expect(gone == nil)
    }

    @Test("Attempts are counted by subject, kept over a restart, and forgotten at zero")
    func counting() async throws {
        let number = try #require(PhoneNumber("+819012345678"))
        let attempts = Attempts(count: 3, since: Samples.now)
        try await apply { $0.attempts = [.message(to: number): attempts, .secondFactor(uid: "uid-a"): attempts] }
        await store.close()
        let again = try Store.open(directory: directory.path, key: FixedKey())
        let subjects: [AttemptSubject] = [.message(to: number), .secondFactor(uid: "uid-a"), .enrolment(uid: "uid-a"), .messages]
        let kept = try await again.change { accounts throws(AccountFailure) in
            (try subjects.map { subject throws(AccountFailure) in try accounts.attempts(of: subject) }, AccountChanges())
        }
        #expect(kept == [attempts, attempts, nil, nil])
        var changes = AccountChanges()
        changes.attempts = [.message(to: number): Attempts(count: 0, since: Samples.now)]
        try await again.apply(changes)
        #expect(try await again.change { accounts throws(AccountFailure) in (try accounts.attempts(of: .message(to: number)), AccountChanges()) } == nil)
        // A week later nothing remembers them.
        try await again.tidy(now: Samples.now.adding(seconds: 8 * 86_400))
        #expect(try await again.change { accounts throws(AccountFailure) in (try accounts.attempts(of: .secondFactor(uid: "uid-a")), AccountChanges()) } == nil)
    }

    @Test("Of two who resolve at once one wins")
    func race() async throws {
        try await store.add(Samples.challenge("a"), now: Samples.now)
        let wins = try await withThrowingTaskGroup(of: Bool.self) { [store] group in
            for _ in 0..<20 {
                group.addTask {
                    try await store.change { accounts throws(AccountFailure) in
                        guard let challenge = try accounts.challenge("challenge-a", now: Samples.now) else { return (false, AccountChanges()) }
                        var changes = AccountChanges()
                        changes.deleteChallenge = challenge.id
                        return (true, changes)
                    }
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(wins == 1)
    }
}
