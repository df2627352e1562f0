/// The meaning of an answer to a sign-in, a link or a proof.
public enum FirebaseSignIn: Sendable {
    case signedIn(FirebaseSignedIn)
    /// The first factor was right; the tokens are issued for a second one.
    case secondFactor(FirebasePending)
    /// The address belongs to a user who signs in another way, and this provider cannot vouch for it.
    case confirmationNeeded(email: String?, providerIDs: [String], FirebaseOAuth)
    /// The account at the provider belongs to a user.
    case alreadyLinked(email: String?, FirebaseOAuth)

    public init(_ answer: FirebaseAnswer, now: Timestamp) throws(FirebaseRefusal) {
        let email = try answer.text("email").flatMap(ProfileDocument.emailAddress)
        if let word = try answer.text("errorMessage"), !word.isEmpty {
            let refusal = FirebaseRefusal(serverMessage: word)
            guard refusal.code == .credentialAlreadyInUse else { throw refusal }
            self = .alreadyLinked(email: email, try FirebaseOAuth(answer, now: now))
        } else if try answer.flag("needConfirmation") {
            self = .confirmationNeeded(
                email: email, providerIDs: try answer.texts("verifiedProvider", most: 64), try FirebaseOAuth(answer, now: now))
        } else if let tokens = try answer.tokens(now: now) {
            self = .signedIn(try FirebaseSignedIn(answer, tokens: tokens))
        } else if let pending = try FirebasePending(answer, now: now) {
            self = .secondFactor(pending)
        } else {
            throw .malformed("it has neither tokens nor a reason for their absence")
        }
    }
}

/// Somebody signed in.
public struct FirebaseSignedIn: Sendable, Equatable {
    public var tokens: FirebaseTokens
    public var isNewUser: Bool
    public var email: String?
    public var displayName: String?
    public var photoURL: String?

    init(_ answer: FirebaseAnswer, tokens: FirebaseTokens) throws(FirebaseRefusal) {
        if let uid = try answer.identifier("localId"), uid != tokens.uid { throw .malformed("its tokens are another user's") }
        self.tokens = tokens
        isNewUser = try answer.flag("isNewUser")
        email = try answer.text("email").flatMap(ProfileDocument.emailAddress).map(EmailAddress.lowercased)
        displayName = try answer.name("displayName")
        photoURL = answer.webAddress("photoUrl")
    }
}

/// A sign-in that waits for a second factor.
public struct FirebasePending: Sendable, Equatable {
    /// `mfaPendingCredential`
    public var credential: Secret
    public var hints: [SecondFactor]

    /// Nil if the answer asks for none.
    init?(_ answer: FirebaseAnswer, now: Timestamp) throws(FirebaseRefusal) {
        guard let credential = try answer.token("mfaPendingCredential") else { return nil }
        self.credential = credential
        hints = try answer.secondFactors(now: now)
    }
}

/// The provider's credential as the project returns it: what was sent may be used up.
public struct FirebaseOAuth: Sendable, Equatable {
    public var accessToken: Secret?
    public var idToken: Secret?
    public var tokenSecret: Secret?
    public var expiresAt: Timestamp?
    /// Represents a credential that only the project has.
    public var pendingToken: Secret?

    init(_ answer: FirebaseAnswer, now: Timestamp) throws(FirebaseRefusal) {
        accessToken = try answer.token("oauthAccessToken")
        idToken = try answer.token("oauthIdToken")
        tokenSecret = try answer.token("oauthTokenSecret")
        expiresAt = try answer.number("oauthExpireIn").map { now.adding(seconds: min(max($0, 0), 31_536_000)) }
        pendingToken = try answer.token("pendingToken")
    }
}

extension CompletedSignIn {
    /// With what the project returned instead of what it was sent.
    public func updated(with oauth: FirebaseOAuth) -> CompletedSignIn {
        var completed = self
        if let accessToken = oauth.accessToken {
            completed.grant.accessToken = accessToken
            if completed.grant.tokenType.isEmpty { completed.grant.tokenType = "Bearer" }
            completed.grant.tokenSecret = oauth.tokenSecret ?? completed.grant.tokenSecret
            completed.grant.expiresAt = oauth.expiresAt ?? completed.grant.expiresAt
        }
        if let idToken = oauth.idToken { completed.grant.idToken = idToken }
        completed.pendingToken = oauth.pendingToken ?? completed.pendingToken
        return completed
    }
}
