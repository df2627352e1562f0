/// What a credential handle stands for, until it is used once or its time is over.
public struct HandleRecord: Sendable, Equatable {
    /// One use, for five minutes.
    public static let lifetimeSeconds: Int64 = 300

    /// As the program got it; kept as a blind index alone.
    public var handle: Secret
    public var providerID: String
    public var binding: ProviderBinding
    /// The grant, the profile and the nonce that came with it.
    public var credential: CompletedSignIn
    public var expiresAt: Timestamp

    public init(handle: Secret, providerID: String, binding: ProviderBinding, credential: CompletedSignIn, expiresAt: Timestamp) {
        self.handle = handle
        self.providerID = providerID
        self.binding = binding
        self.credential = credential
        self.expiresAt = expiresAt
    }
}
