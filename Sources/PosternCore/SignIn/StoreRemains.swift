/// What the last run of the daemon left in the store, as far as it is needed before the first answer.
public struct StoreRemains: Sendable {
    /// Sign-ins that had expired long before this moment of the wall clock were left out.
    public var readAt: Timestamp
    public var sessions: Listing<StoredSignIn>
    public var clients: [RegisteredClient]
    public var attention: AttentionLedger
    /// The first page: all that most people have.
    public var credentials: CredentialPage

    public init(
        readAt: Timestamp, sessions: Listing<StoredSignIn>, clients: [RegisteredClient], attention: AttentionLedger,
        credentials: CredentialPage
    ) {
        self.readAt = readAt
        self.sessions = sessions
        self.clients = clients
        self.attention = attention
        self.credentials = credentials
    }
}

/// Some of the stored credentials.
public struct CredentialPage: Sendable {
    /// Before the first of them.
    public static let start = Int64.min

    public var credentials: Listing<StoredCredential>
    /// Where the next page begins; nil if this is the last one.
    public var next: Int64?

    public init(credentials: Listing<StoredCredential>, next: Int64?) {
        self.credentials = credentials
        self.next = next
    }
}
