import StrictJSON

/// Who signed in, according to the provider. Its key is the provider and the subject, never an address or a name.
public struct Identity: Sendable, Hashable {
    public var providerID: String
    /// The account's stable identifier at the provider (`sub`, `id`), kept as text.
    public var subject: String
    public var displayName: String?
    public var email: String?
    /// Whether the provider says that it has verified the address.
    public var emailVerified: Bool
    public var photoURL: String?
    public var username: String?

    public init(
        providerID: String, subject: String, displayName: String? = nil, email: String? = nil, emailVerified: Bool = false,
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

/// An identity together with the document it was read from, unchanged.
public struct ProviderProfile: Sendable, Hashable {
    public var identity: Identity
    public var document: JSONObject

    public init(identity: Identity, document: JSONObject) {
        self.identity = identity
        self.document = document
    }
}
