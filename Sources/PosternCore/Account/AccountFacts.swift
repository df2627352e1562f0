/// What a decision about an identity needs to know, as it stands inside one transaction.
public struct AccountFacts: Sendable {
    /// The app's sign-in and its user; nil if it has none.
    public var current: (signIn: AppSignIn, user: User)?
    /// The user that the identity belongs to.
    public var owner: User?
    /// Users whose own address is the identity's, oldest first. Empty if addresses may be shared.
    public var namesakes: [User]
    /// The credential of the identity that is kept already.
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

/// Whose account a link is to become.
public enum LinkTarget: Sendable, Hashable {
    /// Whoever is the app's user when it is decided: the program has the credential already.
    case currentUser
    /// The user that a page was opened for, by its `uid`. Earlier versions opened pages for nobody, and one may still wait.
    case pageOwner(String?)

    /// - Throws: if it is not this user whose account was to be linked.
    public func require(_ current: User) throws(AccountRefusal) {
        switch self {
        case .currentUser: return
        case .pageOwner(nil): throw .noCurrentUser
        case .pageOwner(let uid?): if uid != current.uid { throw .userMismatch }
        }
    }
}

/// What a provider vouched for, and what is to become of it.
public struct IdentityQuestion: Sendable {
    public var identity: Identity
    /// The provider is the authority for the identity's address (``Provider/vouches(for:)``).
    public var isAuthority: Bool
    public var intent: Intent
    public var app: String
    /// `[accounts] one-account-per-email`
    public var oneAccountPerEmail: Bool
    public var linksTo: LinkTarget
    /// Whether the credential shows that the user was there, and when.
    public var proof: CredentialProof
    /// The second factor that was given already, by its `uid`.
    public var secondFactor: String?
    /// For the case that a user has to be made.
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
