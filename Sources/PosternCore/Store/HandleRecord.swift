/// What a credential handle stands for, until it is used once or expires.
public struct HandleRecord: Sendable, Equatable {
    /// In seconds. A handle is valid for one use.
    public static let lifetimeSeconds: Int64 = 300

    /// As the program got it; stored only as a blind index.
    public var handle: Secret
    public var providerID: String
    public var binding: ProviderBinding
    /// The grant, the profile and the nonce that came with it.
    public var credential: CompletedSignIn
    /// The app whose program gets it.
    public var app: String
    /// The app's user at that time, if it has one; the store adds it.
    public var uid: String?
    public var expiresAt: Timestamp

    public init(
        handle: Secret, providerID: String, binding: ProviderBinding, credential: CompletedSignIn, app: String, uid: String? = nil,
        expiresAt: Timestamp
    ) {
        self.handle = handle
        self.providerID = providerID
        self.binding = binding
        self.credential = credential
        self.app = app
        self.uid = uid
        self.expiresAt = expiresAt
    }
}
