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
    public var app: AppName
    /// The app's users at that time, here and at a Firebase project; the store adds them.
    public var uids: [String]
    public var expiresAt: Timestamp
    /// The program got its ID token as well, and may present that instead: whichever is used first uses up both.
    public var sharesIDToken: Bool

    public init(
        handle: Secret, providerID: String, binding: ProviderBinding, credential: CompletedSignIn, app: AppName, uids: [String] = [],
        expiresAt: Timestamp, sharesIDToken: Bool = false
    ) {
        self.handle = handle
        self.providerID = providerID
        self.binding = binding
        self.credential = credential
        self.app = app
        self.uids = uids
        self.expiresAt = expiresAt
        self.sharesIDToken = sharesIDToken
    }

    /// It stands for an account that was to be kept for the person: no app can sign in with it.
    public var isForPerson: Bool { app.isEmpty }
}
