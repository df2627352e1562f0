/// That an app is signed in to a Firebase project: the user as the project last described it, and the tokens.
public struct FirebaseSession: Sendable, Equatable {
    /// Of this sign-in: a late answer to an earlier one changes nothing.
    public var id: String
    public var app: String
    /// Names the project: the users of one do not exist in another.
    public var project: String
    public var user: User
    public var tokens: FirebaseTokens
    /// The user was assembled from the sign-in's answer; the project must still be asked for the rest.
    public var isProvisional: Bool
    /// When the user was last shown to be present, as far as is known here. The project accepts an access token like a password, and a
    /// stored credential like a new one. Nil for a sign-in of an earlier version, for which the project's time is used.
    public var presentAt: Timestamp?

    public init(
        id: String, app: String, project: String, user: User, tokens: FirebaseTokens, isProvisional: Bool = false,
        presentAt: Timestamp? = nil
    ) {
        self.id = id
        self.app = app
        self.project = project
        self.user = user
        self.tokens = tokens
        self.isProvisional = isProvisional
        self.presentAt = presentAt
    }
}

extension FirebaseSession {
    /// When the user was present, for a sign-in that continues or replaces this one.
    ///
    /// - Parameters:
    ///   - uid: the user that the project signed in.
    ///   - proof: what was presented to it.
    public static func presence(
        of uid: String, by proof: CredentialProof, withSecondFactor: Bool = false, intent: Intent, after before: FirebaseSession?,
        now: Timestamp
    ) -> Timestamp {
        let earlier = before.flatMap { $0.user.uid == uid ? $0.presentAt ?? $0.tokens.authenticatedAt : nil }
        // Linking proves nothing about the user.
        if intent == .link, let earlier { return earlier }
        return proof.presence(withSecondFactor: withSecondFactor, now: now, before: earlier)
    }

    /// Like ``AccountRules/requireRecent(_:isRecent:)``; the project also checks.
    public func requireRecent(_ isRecent: (AppSignIn) -> Bool) throws(AccountFailure) {
        guard !user.isAnonymous, let presentAt else { return }
        let signIn = AppSignIn(app: app, uid: user.uid, authenticatedAt: presentAt, providerID: tokens.signInProvider)
        guard isRecent(signIn) else { throw .refused(.requiresRecentSignIn) }
    }
}
