import PosternCore
import PosternCrypto
import StrictJSON

@testable import PosternStore

/// A key that is simply there, for tests that are about something else.
struct FixedKey: KeyProvider {
    var source = KeySource.file
    var byte: UInt8 = 7

    var key: SealingKey {
        get throws(StoreError) {
            do throws(CryptoError) { return try SealingKey(bytes: Secret([UInt8](repeating: byte, count: 32))) } catch {
                throw StoreError(.internal, file: "", reason: error.description)
            }
        }
    }

    func makeKey(in directory: String) throws(StoreError) -> SourcedKey { SourcedKey(source: source, key: try key) }
    func keys(from source: KeySource, in directory: String) throws(StoreError) -> [SealingKey] { [try key] }
}

enum Samples {
    static let now = Timestamp(seconds: 1_800_000_000)

    static func signIn(app: String, uid: String) -> AppSignIn {
        AppSignIn(id: "sign-in", app: AppName(app), uid: uid, authenticatedAt: now, providerID: "github.com")
    }

    static func grant(_ mark: String = "a") -> Grant {
        Grant(
            accessToken: Secret("access-token-\(mark)"), tokenType: "bearer", expiresAt: now.adding(seconds: 3600),
            refreshToken: Secret("refresh-token-\(mark)"), refreshTokenExpiresAt: now.adding(seconds: 86_400),
            idToken: Secret("id-token-\(mark)"), idTokenOfRefreshToken: Secret("first-id-token-\(mark)"), scopes: ["openid", "email"],
            resources: ["https://service-\(mark).example"], obtainedAt: now, tokenHost: EndpointHost(written: "tokens.example"),
            proofKey: proofKey(mark), tokenSecret: Secret("token-secret-\(mark)"))
    }

    static func proofKey(_ mark: String = "a") -> DPoPKey? {
        DPoPKey(privateKeyPEM: Secret("proof-key-\(mark)"), x: Array(repeating: 1, count: 32), y: Array(repeating: 2, count: 32))
    }

    static func identity(_ mark: String = "a", provider: String = "github.com") -> Identity {
        Identity(
            providerID: provider, subject: "subject-\(mark)", displayName: "Display Name \(mark)", email: "Person-\(mark)@Example.com",
            emailVerified: true, photoURL: "https://example.com/photo-\(mark)", username: "username-\(mark)")
    }

    static func profile(_ mark: String = "a") -> ProviderProfile {
        ProviderProfile(
            identity: identity(mark),
            document: ["id": 12, "login": .string("document-login-\(mark)"), "size": .decimal("1.50"), "deep": [["x": nil]]])
    }

    static func user(_ mark: String = "a", identities: [Identity]? = nil) -> User {
        User(
            uid: "uid-\(mark)", displayName: "Display Name \(mark)", email: "Person-\(mark)@Example.com", addressProof: .authority,
            photoURL: "https://example.com/photo-\(mark)", identities: identities ?? [identity(mark)], createdAt: now, lastSignInAt: now)
    }

    static func anonymous(_ uid: String) -> User { User(uid: uid, isAnonymous: true, createdAt: now, lastSignInAt: now) }

    static func passwordHash(_ mark: String = "a") -> PasswordHash {
        PasswordHash(
            parameters: PasswordHash.Parameters(cost: 16, blockSize: 8, parallelization: 1), salt: Array(mark.utf8),
            hash: Secret("password-hash-\(mark)"), changedAt: now)
    }

    static func firebaseSession(_ id: String = "1", app: String = "app", project: String = "project", mark: String = "a") -> FirebaseSession {
        FirebaseSession(
            id: id, app: AppName(app), project: project, user: user(mark),
            tokens: FirebaseTokens(
                idToken: Secret("id-token-\(mark)"), refreshToken: Secret("refresh-token-\(mark)"), expiresAt: now, uid: "uid-\(mark)",
                audience: project, authenticatedAt: now, signInProvider: "google.com", secondFactor: "factor"),
            presentAt: now)
    }

    static let binding = ProviderBinding(
        clientID: "client-id", authority: "https://github.com:443", tokenOrigin: "https://token.example:443")

    static func credential(_ mark: String = "a", grant mark2: String? = nil, provider: String = "github.com") -> StoredCredential {
        StoredCredential(
            providerID: provider, subject: "subject-\(mark)", displayName: "Display Name \(mark)", binding: binding,
            grant: grant(mark2 ?? mark), generation: 0)
    }

    static func completed(_ mark: String = "a", user: User? = nil) -> CompletedSignIn {
        CompletedSignIn(
            grant: grant(mark), profile: profile(mark), proof: Proof(.page, seenAt: now), rawNonce: Secret("raw-nonce-\(mark)"),
            user: user, isNewUser: true)
    }

    static func handle(_ mark: String = "a", expiresIn seconds: Int64 = 300) -> HandleRecord {
        HandleRecord(
            handle: Secret("handle-\(mark)"), providerID: "github.com", binding: binding, credential: completed(mark), app: "default",
            expiresAt: now.adding(seconds: seconds))
    }

    static let sentCode = SentCode(
        factor: "factor", salt: [1, 2], hash: Secret("sent-code-hash"), expiresAt: now.adding(seconds: 300))

    static let purposes: [CodeChallenge.Purpose] = [
        .provider(completed(), binding, .reauthenticate), .password(.signIn),
        .enrolment(
            SecondFactor(kind: .phone, uid: "factor", displayName: "Display Name a", phoneNumber: "+819012345678", enrolledAt: now),
            secret: nil),
        .enrolment(SecondFactor(kind: .totp, uid: "factor", enrolledAt: now), secret: Secret("totp-secret-a")),
    ]

    static func challenge(_ mark: String = "a", id: String? = nil, purpose: CodeChallenge.Purpose? = nil) -> CodeChallenge {
        CodeChallenge(
            id: Secret(id ?? "challenge-\(mark)"), uid: "uid-\(mark)", generation: 0, app: AppName("app-\(mark)"),
            purpose: purpose ?? .provider(completed(mark), binding, .signIn), expiresAt: now.adding(seconds: 600))
    }

    /// A second factor of each kind, with its secret.
    static func secondFactors(_ mark: String = "a") -> AccountChanges {
        var user = user(mark)
        user.secondFactors = [
            SecondFactor(kind: .totp, uid: "totp-\(mark)", displayName: "Display Name \(mark)", enrolledAt: now),
            SecondFactor(kind: .phone, uid: "phone-\(mark)", phoneNumber: "+819012345678", enrolledAt: now),
        ]
        var changes = AccountChanges(upsertUser: user)
        changes.factorSecrets = ["totp-\(mark)": Secret("totp-secret-\(mark)")]
        changes.usedSteps = ["totp-\(mark)": 60_000_000]
        changes.upsertChallenge = challenge(
            mark,
            purpose: .enrolment(
                SecondFactor(kind: .phone, uid: "new-\(mark)", phoneNumber: "+819012345678", enrolledAt: now),
                secret: Secret("totp-secret-\(mark)")))
        if let number = PhoneNumber("+819012345678") { changes.attempts = [.message(to: number): Attempts(count: 1, since: now)] }
        return changes
    }

    static func session(_ mark: String = "a", expiresIn seconds: Int64 = 600) -> StoredSignIn {
        let session = SignInSession(
            id: "session-\(mark)",
            request: SignInRequest(
                providerID: "github.com", intent: .signIn, app: "default", scopes: ["user:email", "read:user"],
                parameters: ["parameter": "parameter-value-\(mark)"], loginHint: "login-hint-\(mark)@example.com"),
            binding: binding, requester: "requester-\(mark)", isShownByClient: mark == "a", startedAt: now,
            redirectURI: "http://127.0.0.1:7678/__/auth/handler/\(mark)", relayedTo: mark == "a" ? "http://127.0.0.1:7678/__/auth/handler" : nil,
            pageID: "page-\(mark)")
        let secrets = FlowSecrets(
            codeVerifier: Secret("code-verifier-\(mark)"), nonce: Secret("nonce-\(mark)"), proofKey: proofKey(mark),
            requestTokens: [OAuth1Token(token: Secret("request-token-\(mark)"), secret: Secret("request-secret-\(mark)"))])
        return StoredSignIn(
            session: session, stateHashes: [[UInt8]("state-hash-1-\(mark)".utf8), [UInt8]("state-hash-2-\(mark)".utf8)],
            expiresAt: now.adding(seconds: seconds), status: .pending(secrets, nil))
    }

    /// Everything in the samples of that mark that must not be readable in a file.
    static func privateTexts(_ mark: String = "a") -> [String] {
        [
            "access-token-\(mark)", "refresh-token-\(mark)", "id-token-\(mark)", "raw-nonce-\(mark)", "handle-\(mark)", "subject-\(mark)",
            "Display Name \(mark)", "Person-\(mark)", "person-\(mark)", "Example.com", "example.com", "photo-\(mark)", "username-\(mark)",
            "document-login-\(mark)", "parameter-value-\(mark)", "login-hint-\(mark)", "code-verifier-\(mark)", "\"nonce-\(mark)",
            "proof-key-\(mark)",
            "token-secret-\(mark)", "totp-secret-\(mark)", "challenge-\(mark)", "+8190", "app-\(mark)\"", "request-token-\(mark)", "request-secret-\(mark)",
        ]
    }
}

/// A sign-in on disk, member by member.
extension StoredSignIn {
    var id: String { session.id }

    var phase: SignInSession.Phase { status.phase }

    var outcome: SignInOutcome? { if case .ended(let outcome, _) = status { outcome } else { nil } }

    var isDelivered: Bool { if case .ended(_, let isDelivered) = status { isDelivered } else { false } }

    /// Nil if it waits no more; what waits no more gets none.
    var secrets: FlowSecrets? {
        get { if case .pending(let secrets, _) = status { secrets } else { nil } }
        set { if let newValue, case .pending(_, let device) = status { status = .pending(newValue, device) } }
    }

    var device: DeviceAuthorization? {
        get { if case .pending(_, let device) = status { device } else { nil } }
        set { if case .pending(let secrets, _) = status { status = .pending(secrets, newValue) } }
    }
}

/// What the expression throws, where it is a store's error.
func storeError<Value>(_ body: () async throws -> Value) async -> StoreError? {
    do {
        _ = try await body()
        return nil
    } catch {
        if case .store(let failure)? = error as? AccountFailure { return failure }
        return error as? StoreError
    }
}

/// The database as SQLite sees it, while no store has it open.
func withDatabase<Value>(in directory: TemporaryDirectory, _ body: (Connection) throws -> Value) throws -> Value {
    let lock = try DirectoryLock(StateDirectory(preparing: directory.path))
    return try body(Connection(opening: directory.file(DatabaseFiles.fileName), lock: lock))
}

extension Store {
    /// All of them, page by page.
    func credentials() throws(StoreError) -> Listing<StoredCredential> {
        var all = Listing<StoredCredential>()
        var next: Int64? = CredentialPage.start
        while let position = next {
            let page = try credentials(after: position, limit: 100)
            all.values += page.credentials.values
            all.damaged += page.credentials.damaged
            next = page.next
        }
        return all
    }
}
