/// What a decision about accounts wants written, all of it or nothing.
public struct AccountChanges: Sendable, Equatable {
    /// Whether a user has a password, and which.
    public enum Password: Sendable, Equatable {
        case unchanged
        case set(PasswordHash)
        case removed
    }

    /// Made, or replaced together with all of its identities and second factors, which keep the order given.
    public var upsertUser: User?
    /// Of ``upsertUser``.
    public var password = Password.unchanged
    /// Of ``upsertUser``, by the factor's `uid`: what codes of a new second factor are checked with.
    public var factorSecrets: [String: Secret] = [:]
    /// By the factor's `uid`: the latest step of time whose one-time password was taken.
    public var usedSteps: [String: Int64] = [:]
    /// The user goes, with everything that hangs on it, its credentials at providers among them.
    public var deleteUser: String?
    /// The app is signed in so from now on.
    public var signIn: AppSignIn?
    /// The user's other apps are signed out, and first factors that were given are worth nothing: what they know of the user is not to be
    /// trusted any more (Firebase's `validSince`).
    public var signsOutOtherApps = false
    /// Accounts at providers that ``upsertUser`` had and that gave way: their credentials are forgotten with them.
    public var displaced: [Identity] = []
    /// Made, or replaced. The store numbers the generation; the one given here is not looked at.
    public var upsertCredential: StoredCredential?
    /// An app is signed in so from now on, where a Firebase project has the accounts.
    public var firebaseSession: FirebaseSession?
    /// Waits for a code from now on, or still does.
    public var upsertChallenge: CodeChallenge?
    /// Waits for no code any more, whose ID this is.
    public var deleteChallenge: Secret?
    /// How often something was tried now; a count of 0 forgets it.
    public var attempts: [AttemptSubject: Attempts] = [:]

    /// So many anonymous users that no app is signed in as are kept, the latest; nil if nobody looks.
    public var orphanLimit: Int?
    /// The ID token that a program showed, which is valid for one sign-in.
    public var spends: Spending?

    public struct Spending: Sendable, Equatable {
        public var token: SpentToken
        public var now: Timestamp

        public init(_ token: SpentToken, now: Timestamp) {
            self.token = token
            self.now = now
        }
    }

    public init(upsertUser: User? = nil, signIn: AppSignIn? = nil, upsertCredential: StoredCredential? = nil) {
        self.upsertUser = upsertUser
        self.signIn = signIn
        self.upsertCredential = upsertCredential
    }
}
