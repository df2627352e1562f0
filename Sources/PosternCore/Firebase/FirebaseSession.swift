/// That an app is signed in to a Firebase project: the user as the project last told it, and the tokens.
public struct FirebaseSession: Sendable, Equatable {
    /// Of this sign-in: what is answered late to an earlier one changes nothing.
    public var id: String
    public var app: String
    /// Names the project: the users of one are nobody in another.
    public var project: String
    public var user: User
    public var tokens: FirebaseTokens
    /// The user was put together from what signing in answered; the project is yet to be asked for the rest.
    public var isProvisional: Bool
    /// When the user was last shown to be there, as it is known here. The project takes an access token for as much as a password, and
    /// a credential that was kept for one that has just come. Nil for a sign-in of an earlier version: the project's word holds.
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
    /// When the user was there, of a sign-in that goes on from this one or takes its place.
    ///
    /// - Parameters:
    ///   - uid: whom the project let in.
    ///   - proof: what was shown to it.
    public static func presence(
        of uid: String, by proof: CredentialProof, withSecondFactor: Bool = false, intent: Intent, after before: FirebaseSession?,
        now: Timestamp
    ) -> Timestamp {
        let earlier = before.flatMap { $0.user.uid == uid ? $0.presentAt ?? $0.tokens.authenticatedAt : nil }
        // Linking proves nothing about the user.
        if intent == .link, let earlier { return earlier }
        return proof.presence(withSecondFactor: withSecondFactor, now: now, before: earlier)
    }

    /// As ``AccountRules/requireRecent(_:isRecent:)``; the project asks for its part.
    public func requireRecent(_ isRecent: (AppSignIn) -> Bool) throws(AccountFailure) {
        guard !user.isAnonymous, let presentAt else { return }
        let signIn = AppSignIn(app: app, uid: user.uid, authenticatedAt: presentAt, providerID: tokens.signInProvider)
        guard isRecent(signIn) else { throw .refused(.requiresRecentSignIn) }
    }
}
