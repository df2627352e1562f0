/// What a decision about an identity needs to know, as of one transaction.
public struct AccountFacts: Sendable {
    /// The app's sign-in and its user; nil if it has none.
    public var current: (signIn: AppSignIn, user: User)?
    /// The user that the identity belongs to.
    public var owner: User?
    /// Users whose own address is the identity's and who can sign in, oldest first. Empty if addresses may be shared.
    public var namesakes: [User] = []
    /// The stored credential of the identity.
    public var held: StoredCredential?
}

/// The app's sign-in that a page, a device code, a resolver or a call is for, and what the user had when it was asked for.
public struct PageOwner: Sendable, Hashable {
    /// ``AppSignIn/id``
    public var signIn: String
    /// ``User/generation``
    public var generation: Int64

    public init(signIn: String, generation: Int64) {
        self.signIn = signIn
        self.generation = generation
    }

    public init(_ current: (signIn: AppSignIn, user: User)) {
        self.init(signIn: current.signIn.id, generation: current.user.generation)
    }
}

/// When a program asked for what is decided now.
public enum AskedMoment: Sendable, Hashable {
    /// Just now: it has the credential already.
    case now
    /// When a page was opened, or a code was given, for this sign-in of the app; nil if the app was signed out, or if that does not matter.
    case earlier(PageOwner?)
    /// As ``earlier(_:)``, and no program waits for the answer any more: whoever types the code now has not been asked to by anybody.
    case abandoned(PageOwner?)

    /// - Throws: if a page for linking or reauthenticating was opened for another sign-in than the app's present one.
    public func require(_ owner: PageOwner) throws(AccountRefusal) {
        switch self {
        case .now: return
        case .earlier(nil), .abandoned(nil): throw .noCurrentUser
        case .earlier(let asked?), .abandoned(let asked?): if asked != owner { throw .userMismatch }
        }
    }

    /// - Throws: if nobody waits for this sign-in, and it would replace one that began after it.
    public func requireReplaceable(_ owner: PageOwner?) throws(AccountRefusal) {
        if case .abandoned(let asked) = self, asked != owner { throw .userMismatch }
    }
}

/// What a provider vouched for, and what it is for.
public struct IdentityRequest: Sendable {
    public var identity: Identity
    /// The provider is the authority for the identity's address (``Provider/vouches(for:)``).
    public var isAuthority: Bool
    public var intent: Intent
    public var app: AppName
    /// `[accounts] one-account-per-email`
    public var oneAccountPerEmail: Bool
    public var asked: AskedMoment
    public var proof: Proof
    /// The second factor that has been given, by its `uid`.
    public var secondFactor: String?
    /// In case a user has to be created.
    public var newUID: String
    /// For the app's sign-in, if there is a new one.
    public var newSignIn: String
    /// Whether the user was present a moment before, by the app's sign-in.
    public var isRecent: @Sendable (AppSignIn) -> Bool
    public var now: Timestamp

    public init(
        identity: Identity, isAuthority: Bool, intent: Intent, app: AppName, oneAccountPerEmail: Bool, asked: AskedMoment = .now,
        proof: Proof, secondFactor: String? = nil, newUID: String, newSignIn: String,
        isRecent: @escaping @Sendable (AppSignIn) -> Bool, now: Timestamp
    ) {
        self.identity = identity
        self.isAuthority = isAuthority
        self.intent = intent
        self.app = app
        self.oneAccountPerEmail = oneAccountPerEmail
        self.asked = asked
        self.proof = proof
        self.secondFactor = secondFactor
        self.newUID = newUID
        self.newSignIn = newSignIn
        self.isRecent = isRecent
        self.now = now
    }
}

extension IdentityRequest {
    /// How well the address is proved by this sign-in. An access token alone, or a page that asked nobody, does not bring the address's owner.
    var shownAddressProof: AddressProof { seenAt == nil ? min(addressProof, .provider) : addressProof }

    /// The person answers a page at this moment, or a code for another device.
    var isPage: Bool { proof.way == .page && asked != .now }

    /// When the person was seen, with the second factor that was given just now; nil if nobody was.
    var seenAt: Timestamp? { proof.seen(withSecondFactor: secondFactor != nil, now: now) }

    /// How well the identity's address is proved.
    var addressProof: AddressProof { isAuthority ? .authority : identity.emailVerified == true ? .provider : .none }
}
