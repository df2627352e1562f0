/// The daemon waits for a code: a first factor was right, or a second one is to be confirmed.
public struct CodeChallenge: Sendable, Equatable {
    /// In seconds: as long as a browser's page may wait.
    public static let lifetimeSeconds: Int64 = 600
    /// Wrong codes allowed; the last one ends the challenge.
    public static let tries = 5
    /// How many can wait at once, per user: as many as sign-ins. Beyond that the oldest are dropped.
    public static let limitPerUser = 64

    public enum Purpose: Sendable, Equatable {
        /// A provider vouched for the user; nothing of that is applied yet.
        case provider(CompletedSignIn, ProviderBinding, Intent)
        /// The user's password was right.
        case password(Intent)
        /// With the secret of one-time passwords; nil for a phone.
        case enrolment(SecondFactor, secret: Secret?)
    }

    /// As the program got it; stored only as a blind index.
    public var id: Secret
    /// The user whose second factor it is about.
    public var uid: String
    /// ``User/generation`` when the first factor was right, or the enrolment began.
    public var generation: Int64
    public var app: AppName
    /// The app's sign-in for which the first factor was asked for; nil if it had none.
    public var owner: PageOwner?
    public var purpose: Purpose
    public var expiresAt: Timestamp
    /// So far.
    public var wrongCodes: Int
    /// The last code sent to a phone; those before it are no longer valid.
    public var sent: SentCode?

    public init(
        id: Secret, uid: String, generation: Int64, app: AppName, owner: PageOwner? = nil, purpose: Purpose, expiresAt: Timestamp,
        wrongCodes: Int = 0, sent: SentCode? = nil
    ) {
        self.id = id
        self.uid = uid
        self.generation = generation
        self.app = app
        self.owner = owner
        self.purpose = purpose
        self.expiresAt = expiresAt
        self.wrongCodes = wrongCodes
        self.sent = sent
    }
}

extension CodeChallenge {
    /// What it was begun with is still so: the user has lost no way to sign in since, and has the same password and the same address.
    public func stillHolds(for user: User) -> Bool { uid == user.uid && generation == user.generation }

    /// Counted separately, so that a user who fails to enrol can still sign in.
    public var attempts: AttemptSubject {
        if case .enrolment = purpose { .enrolment(uid: uid) } else { .secondFactor(uid: uid) }
    }
}

/// What the codes of an authenticator program are checked with.
public struct FactorKey: Sendable, Equatable {
    public var secret: Secret
    /// The latest time step whose code was accepted.
    public var lastStep: Int64?

    public init(secret: Secret, lastStep: Int64? = nil) {
        self.secret = secret
        self.lastStep = lastStep
    }
}
