import PosternCore

/// What a decision about accounts wants written, all of it or nothing.
public struct AccountChanges: Sendable, Equatable {
    /// Which user an app is signed in as; nil signs it out.
    public struct CurrentUser: Sendable, Equatable {
        public var app: String
        public var uid: String?

        public init(app: String, uid: String?) {
            self.app = app
            self.uid = uid
        }
    }

    /// Made, or replaced together with all of its identities, which keep the order given.
    public var upsertUser: User?
    public var currentUser: CurrentUser?
    /// Made, or replaced. The store numbers the generation; the one given here is not looked at.
    public var upsertCredential: StoredCredential?

    public init(upsertUser: User? = nil, currentUser: CurrentUser? = nil, upsertCredential: StoredCredential? = nil) {
        self.upsertUser = upsertUser
        self.currentUser = currentUser
        self.upsertCredential = upsertCredential
    }
}
