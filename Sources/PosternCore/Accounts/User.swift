/// A local user.
public struct User: Sendable, Hashable {
    /// 28 characters, random, never used again.
    public var uid: String
    /// Created without a person saying who they are, and without a way to sign in since (Firebase's anonymous users). An address that such a
    /// user was given belongs to whoever can sign in with it.
    public var isAnonymous: Bool
    public var displayName: String?
    /// In lower case. The user's own address; a provider's may differ.
    public var email: String?
    /// How well that address is proved.
    public var addressProof: AddressProof
    public var photoURL: String?
    /// What the linked providers say, in the order they were linked.
    public var identities: [Identity]
    /// The user can sign in with the address and a password.
    public var hasPassword: Bool
    /// Asked for after the first factor, in the order of their enrolment; the secrets to check them are kept separately.
    public var secondFactors: [SecondFactor]
    public var createdAt: Timestamp
    public var lastSignInAt: Timestamp
    /// Somebody was seen as this user. Until then it is a name for an account at a provider, whose owner comes later, with a page: an access
    /// token alone made it.
    public var hasOwner: Bool
    /// Incremented when a way in is taken away, and with the address or the password: what somebody began before then and has not finished
    /// is void.
    public var generation: Int64

    public init(
        uid: String, isAnonymous: Bool = false, displayName: String? = nil, email: String? = nil,
        addressProof: AddressProof = .none, photoURL: String? = nil, identities: [Identity] = [], hasPassword: Bool = false,
        secondFactors: [SecondFactor] = [],
        createdAt: Timestamp, lastSignInAt: Timestamp, hasOwner: Bool = true, generation: Int64 = 0
    ) {
        self.uid = uid
        self.isAnonymous = isAnonymous
        self.displayName = displayName
        self.email = email
        self.addressProof = addressProof
        self.photoURL = photoURL
        self.identities = identities
        self.hasPassword = hasPassword
        self.secondFactors = secondFactors
        self.createdAt = createdAt
        self.lastSignInAt = lastSignInAt
        self.hasOwner = hasOwner
        self.generation = generation
    }
}

extension User {
    /// The provider ID for an address and a password, as in Firebase.
    public static let passwordProviderID = Provider.passwordID

    /// The providers that the user can sign in with, in the order they were linked; the password is the last.
    public var providerIDs: [String] { identities.map(\.providerID) + (hasPassword ? [Self.passwordProviderID] : []) }

    public var hasWayIn: Bool { hasPassword || !identities.isEmpty }

    /// For the interface: somebody other than the person who typed the address has checked it. No decision depends on this.
    public var emailVerified: Bool { addressProof != .none }

    public func identity(at providerID: String) -> Identity? { identities.first { $0.providerID == providerID } }

    /// The account is linked to the user.
    public func has(_ identity: Identity) -> Bool { identities.contains { $0.isAccount(of: identity) } }
}

/// A second proof that a user gives after the first one.
public struct SecondFactor: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        /// A time-based code (RFC 6238).
        case totp
        /// A code that is sent to a phone.
        case phone
    }

    public var kind: Kind
    /// 28 random characters, of this factor.
    public var uid: String
    public var displayName: String?
    /// E.164, in full: masked before it leaves the daemon.
    public var phoneNumber: String?
    public var enrolledAt: Timestamp

    public init(kind: Kind, uid: String, displayName: String? = nil, phoneNumber: String? = nil, enrolledAt: Timestamp) {
        self.kind = kind
        self.uid = uid
        self.displayName = displayName
        self.phoneNumber = phoneNumber
        self.enrolledAt = enrolledAt
    }
}
