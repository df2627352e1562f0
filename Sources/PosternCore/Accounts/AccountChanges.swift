/// What a decision about accounts writes, all of it or nothing.
public struct AccountChanges: Sendable, Equatable {
    /// Whether a user has a password, and which.
    public enum Password: Sendable, Equatable {
        case unchanged
        case set(PasswordHash)
        case removed
    }

    /// Created, or replaced together with all of its identities and second factors, which keep the order given.
    public var upsertUser: User?
    /// Of ``upsertUser``.
    public var password = Password.unchanged
    /// For ``upsertUser``, by the factor's `uid`: the secrets to check codes of a new second factor with.
    public var factorSecrets: [String: Secret] = [:]
    /// By the factor's `uid`: the latest time step whose one-time password was accepted.
    public var usedSteps: [String: Int64] = [:]
    /// The user to delete, with everything that belongs to it; its accounts at providers are ``released``.
    public var deleteUser: String?
    /// The app's sign-in from now on.
    public var signIn: AppSignIn?
    /// The user's other apps are signed out: what they know of the user is no longer trusted (Firebase's `validSince`).
    public var signsOutOtherApps = false
    /// Apps of ``upsertUser`` in which nobody showed to be the user (``AppSignIn/isUnseen``) are signed out, except this one: an account that
    /// the user no longer has may have signed them in.
    public var signsOutUnseenAppsExcept: AppName?
    /// First factors of ``upsertUser`` that wait for a second one, and handles for its accounts or given to its apps, become void. Pages and
    /// codes do by the user's generation.
    public var endsPending = false
    /// Accounts at providers that a user had and has no longer: no app keeps their credentials. Those that the person keeps stay, the others
    /// are deleted.
    public var released: [CredentialKey] = []
    public var credential: CredentialWrite?
    /// An app's sign-in from now on, if a Firebase project has the accounts.
    public var firebaseSession: FirebaseSession?
    /// How accounts came to users of projects, from now on.
    public var firebaseLinks: FirebaseLinks?
    /// Waits for a code from now on, or still does.
    public var upsertChallenge: CodeChallenge?
    /// The ID of a challenge that no longer waits for a code.
    public var deleteChallenge: Secret?
    /// The number of attempts so far; a count of 0 removes it.
    public var attempts: [AttemptSubject: Attempts] = [:]

    /// How many anonymous users that no app is signed in as are kept, the latest; nil to skip the check.
    public var orphanLimit: Int?
    /// The ID token that a program presented, which is valid for one sign-in.
    public var spends: Spending?

    public struct Spending: Sendable, Equatable {
        public var token: SpentToken
        public var now: Timestamp

        public init(_ token: SpentToken, now: Timestamp) {
            self.token = token
            self.now = now
        }
    }

    /// The user loses these accounts, which may have signed in other apps, or have begun something.
    mutating func lose(_ identities: [Identity], in app: AppName) {
        released += identities.map(CredentialKey.init)
        endsPending = true
        signsOutUnseenAppsExcept = app
    }

    public init(upsertUser: User? = nil, signIn: AppSignIn? = nil, credential: CredentialWrite? = nil) {
        self.upsertUser = upsertUser
        self.signIn = signIn
        self.credential = credential
    }
}
