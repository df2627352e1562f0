import Glibc
import PosternCore
import PosternStore

// Commits one numbered sign-in after the other and prints each number once it is on disk, until it is killed.
//
// usage: store-crash-writer DIRECTORY FIRST-NUMBER

guard CommandLine.arguments.count == 3, let first = Int(CommandLine.arguments[2]) else {
    print("usage: store-crash-writer DIRECTORY FIRST-NUMBER")
    exit(64)
}

let store = try Store.open(directory: CommandLine.arguments[1], key: KeyChoice(.file))
let now = Timestamp(seconds: 1_800_000_000)
let binding = ProviderBinding(clientID: "client", authority: "https://github.com:443")
var number = first

/// As the daemon does it: a session begins, is taken up, and ends together with its user and credential.
func signIn(_ number: Int) async throws {
    let identity = Identity(providerID: "github.com", subject: "\(number)")
    let grant = Grant(accessToken: Secret("token-\(number)"), tokenType: "bearer", scopes: [], obtainedAt: now)
    let session = SignInSession(
        id: "\(number)", request: SignInRequest(providerID: "github.com", intent: .signIn, app: "default", scopes: []),
        binding: binding, requester: "store-crash-writer", startedAt: now, redirectURI: "http://127.0.0.1/", pageID: "page-\(number)")
    try await store.begin(
        StoredSignIn(
            session: session, stateHashes: [Array("state-\(number)".utf8)], expiresAt: now,
            status: .pending(FlowSecrets(codeVerifier: Secret("verifier")), nil)))
    guard try await store.markExchanging(sessionID: session.id) else { exit(1) }
    try await store.finish(sessionID: session.id) { accounts throws(AccountFailure) in
        var user = try accounts.current(app: "default")?.user ?? User(uid: "uid", createdAt: now, lastSignInAt: now)
        user.displayName = "\(number)"
        let completed = CompletedSignIn(
            grant: grant, profile: ProviderProfile(identity: identity, document: [:]), proof: Proof(.page, seenAt: now),
            rawNonce: nil, user: user, isNewUser: false)
        let credential = StoredCredential(
            providerID: "github.com", subject: identity.subject, displayName: nil, binding: binding, grant: grant, generation: 0)
        return (
            .completed(completed),
            AccountChanges(
                upsertUser: user,
                signIn: AppSignIn(id: "sign-in", app: "default", uid: user.uid, authenticatedAt: now, providerID: identity.providerID),
                credential: .grant(credential))
        )
    }
}

/// As the daemon does it: a first factor waits on disk, and is used up with its code when the second one was given.
func resolve(_ number: Int) async throws {
    let challenge = CodeChallenge(
        id: Secret("challenge-\(number)"), uid: "uid", generation: 0, app: "default", purpose: .password(.signIn), expiresAt: now.adding(seconds: 600))
    try await store.add(challenge, now: now)
    try await store.change { accounts throws(AccountFailure) in
        guard let kept = try accounts.challenge("challenge-\(number)", now: now), var current = try accounts.current(app: "default")
        else { exit(1) }
        current.user.secondFactors = [SecondFactor(kind: .totp, uid: "factor", enrolledAt: now)]
        current.signIn.secondFactor = "\(number)"
        var changes = AccountChanges(upsertUser: current.user, signIn: current.signIn)
        changes.factorSecrets = ["factor": Secret("secret")]
        changes.usedSteps = ["factor": Int64(number)]
        changes.deleteChallenge = kept.id
        changes.attempts = [.messages: Attempts(count: Int64(number), since: now)]
        return ((), changes)
    }
}

while true {
    try await signIn(number)
    try await resolve(number)
    let line = Array("\(number)\n".utf8)
    // Who reads is gone: there is nobody to write for.
    guard write(STDOUT_FILENO, line, line.count) == line.count else { exit(0) }
    number += 1
}
