import StrictJSON

/// Who signed in, according to the provider. Its key is the provider and the subject, never an address or a name.
public struct Identity: Sendable, Hashable {
    public var providerID: String
    /// The account's stable identifier at the provider (`sub`, `id`), kept as text.
    public var subject: String
    public var displayName: String?
    public var email: String?
    /// Whether the provider says that it has verified the address; nil if it does not say. A "no" in any of its documents counts.
    public var emailVerified: Bool?
    public var photoURL: String?
    public var username: String?
    /// How the account came to a user who had signed in in another way; nil if it was there from the beginning, or came with a sign-in.
    public var link: IdentityLink?

    public init(
        providerID: String, subject: String, displayName: String? = nil, email: String? = nil, emailVerified: Bool? = nil,
        photoURL: String? = nil, username: String? = nil
    ) {
        self.providerID = providerID
        self.subject = subject
        self.displayName = displayName
        self.email = email
        self.emailVerified = emailVerified
        self.photoURL = photoURL
        self.username = username
    }
}

/// That an account was linked to a user, by an app that was signed in as this user.
public struct IdentityLink: Sendable, Hashable {
    public var at: Timestamp
    /// The app's sign-in, by its ``AppSignIn/id``; a marker of the request that asked a project for it (``FirebaseLinks``) fits none.
    public var signIn: String
    /// The user was present a moment before, or nobody could be yet, or the user has kept it since. Otherwise somebody who found a program open may have linked an account
    /// of their own.
    public var isProved: Bool
    /// Nobody had been seen as the user: the user's own program may have linked it, or any other that has an access token of theirs.
    public var isOfNobody: Bool

    public init(at: Timestamp, signIn: String, isProved: Bool, isOfNobody: Bool = false) {
        self.at = at
        self.signIn = signIn
        self.isProved = isProved
        self.isOfNobody = isOfNobody
    }

    /// After this time a user who did not want the account has had the chance to notice it; not where there was nobody to notice it.
    public static let probationSeconds: Int64 = 30 * 86_400

    /// A sign-in with the account shows that the user is present.
    public func showsUser(now: Timestamp) -> Bool {
        !isOfNobody && (isProved || at.adding(seconds: Self.probationSeconds) <= now)
    }

    /// A user who was seen then, shown in another way than by this account, has to be asked about it.
    public func awaitsReview(seenAt: Timestamp, now: Timestamp) -> Bool { !showsUser(now: now) && at < seenAt }

    /// The user, shown in another way than by this account, was asked about it and keeps it (``LinkReview``).
    public mutating func keep() { (isProved, isOfNobody) = (true, false) }
}

/// An identity together with the document it was read from, unchanged.
public struct ProviderProfile: Sendable, Hashable {
    public var identity: Identity
    public var document: JSONObject

    public init(identity: Identity, document: JSONObject) {
        self.identity = identity
        self.document = document
    }

    /// It was read from something that the provider said. Otherwise the account is only a name, which is no proof of who somebody is: each
    /// person who signs in at the provider would be the same user.
    public var namesPerson: Bool { !document.isEmpty }
}
