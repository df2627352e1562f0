/// What a decision about an identity needs to know, as of one transaction.
public struct AccountFacts: Sendable {
    /// The app's sign-in and its user; nil if it has none.
    public var current: (signIn: AppSignIn, user: User)?
    /// The user that the identity belongs to.
    public var owner: User?
    /// Users whose own address is the identity's, oldest first. Empty if addresses may be shared.
    public var namesakes: [User]
    /// The stored credential of the identity.
    public var held: StoredCredential?

    public init(
        current: (signIn: AppSignIn, user: User)? = nil, owner: User? = nil, namesakes: [User] = [], held: StoredCredential? = nil
    ) {
        self.current = current
        self.owner = owner
        self.namesakes = namesakes
        self.held = held
    }
}

/// The user that an account is to be linked to.
public enum LinkTarget: Sendable, Hashable {
    /// The app's user at the time of the decision: the program has the credential already.
    case currentUser
    /// The user for whom a page was opened, by its `uid`. Earlier versions opened pages for nobody, and one may still wait.
    case pageOwner(String?)

    /// - Throws: if this is not the user that the account was to be linked to.
    public func require(_ current: User) throws(AccountRefusal) {
        switch self {
        case .currentUser: return
        case .pageOwner(nil): throw .noCurrentUser
        case .pageOwner(let uid?): if uid != current.uid { throw .userMismatch }
        }
    }
}

/// What a provider vouched for, and what it is for.
public struct IdentityQuestion: Sendable {
    public var identity: Identity
    /// The provider is the authority for the identity's address (``Provider/vouches(for:)``).
    public var isAuthority: Bool
    public var intent: Intent
    public var app: String
    /// `[accounts] one-account-per-email`
    public var oneAccountPerEmail: Bool
    public var linksTo: LinkTarget
    /// Whether the credential shows that the user was present, and when.
    public var proof: CredentialProof
    /// The second factor that has been given, by its `uid`.
    public var secondFactor: String?
    /// In case a user has to be created.
    public var newUID: String
    public var now: Timestamp

    public init(
        identity: Identity, isAuthority: Bool, intent: Intent, app: String, oneAccountPerEmail: Bool, linksTo: LinkTarget = .currentUser,
        proof: CredentialProof, secondFactor: String? = nil, newUID: String, now: Timestamp
    ) {
        self.identity = identity
        self.isAuthority = isAuthority
        self.intent = intent
        self.app = app
        self.oneAccountPerEmail = oneAccountPerEmail
        self.linksTo = linksTo
        self.proof = proof
        self.secondFactor = secondFactor
        self.newUID = newUID
        self.now = now
    }
}
