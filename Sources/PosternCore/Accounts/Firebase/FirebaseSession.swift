/// That an app is signed in to a Firebase project: the user as the project last described it, and the tokens.
public struct FirebaseSession: Sendable, Equatable {
    /// Of this sign-in: a late answer to an earlier one changes nothing.
    public var id: String
    public var app: AppName
    /// Names the project: the users of one do not exist in another.
    public var project: String
    public var user: User
    public var tokens: FirebaseTokens
    /// The user was assembled from the sign-in's answer; the project must still be asked for the rest.
    public var isProvisional: Bool
    /// When the user was last shown to be present, as far as is known here. The project accepts an access token like a password, and a
    /// stored credential like a new one.
    public var presentAt: Timestamp
    /// As ``User/generation``: what was begun for an earlier one is void.
    public var generation: Int64

    public init(
        id: String, app: AppName, project: String, user: User, tokens: FirebaseTokens, isProvisional: Bool = false,
        presentAt: Timestamp, generation: Int64 = 0
    ) {
        self.id = id
        self.app = app
        self.project = project
        self.user = user
        self.tokens = tokens
        self.isProvisional = isProvisional
        self.presentAt = presentAt
        self.generation = generation
    }
}

extension FirebaseSession {
    /// When the user was present, for a sign-in that continues or replaces this one.
    ///
    /// - Parameters:
    ///   - uid: the user that the project signed in.
    ///   - proof: what was presented to it.
    ///   - link: how the account that was presented came to the user, as far as is known here.
    public static func presence(
        of uid: String, by proof: Proof, withSecondFactor: Bool = false, intent: Intent, after before: FirebaseSession?,
        link: IdentityLink? = nil, now: Timestamp
    ) -> Timestamp {
        let earlier = before.flatMap { $0.user.uid == uid ? $0.presentAt : nil }
        // Linking proves nothing about the user. An anonymous one is nobody before, and is whoever was seen now.
        if intent == .link, let before, let earlier {
            return before.user.isAnonymous ? proof.presence(withSecondFactor: withSecondFactor, now: now, before: nil) : earlier
        }
        guard link?.showsUser(now: now) ?? true else { return earlier ?? Timestamp(milliseconds: 0) }
        return proof.presence(withSecondFactor: withSecondFactor, now: now, before: earlier)
    }

    /// Like ``AccountRules/requireRecent(_:isRecent:)``; the project also checks.
    public func requireRecent(_ isRecent: (AppSignIn) -> Bool) throws(AccountFailure) {
        guard user.isAnonymous || isRecent(signIn) else { throw .refused(.requiresRecentSignIn) }
    }

    /// - Parameter isPage: a page was answered now.
    /// - Throws: ``AccountRefusal/personNotSeen(providerID:_:)`` if a reauthentication with this proof would make nothing recent.
    public func requireSeen(
        in proof: Proof, of providerID: String, isPage: Bool, isRecent: (AppSignIn) -> Bool
    ) throws(AccountRefusal) {
        var then = signIn
        then.authenticatedAt = proof.seenAt ?? Timestamp(milliseconds: 0)
        guard isRecent(then) else { throw .personNotSeen(providerID: providerID, AccountRefusal.Absence(of: proof, isPage: isPage)) }
    }

    private var signIn: AppSignIn {
        AppSignIn(id: id, app: app, uid: user.uid, authenticatedAt: presentAt, providerID: tokens.signInProvider)
    }

    /// As ``AccountRules/unlink(_:from:isRecent:)``; the project has no such rule.
    ///
    /// - Parameters:
    ///   - link: how the account came to the user; nil if that is not known here.
    ///   - isAnswer: the user was asked about it on the page of a sign-in a moment ago.
    public func requireUnlinkable(
        _ link: IdentityLink?, isAnswer: Bool = false, isRecent: (AppSignIn) -> Bool
    ) throws(AccountFailure) {
        if let link, link.signIn == id {
            var then = signIn
            then.authenticatedAt = link.at
            if isRecent(then) { return }
        }
        if !isAnswer { try requireRecent(isRecent) }
        guard user.secondFactors.isEmpty || user.secondFactors.contains(where: { $0.uid == tokens.secondFactor }) else {
            throw .refused(.requiresRecentSignIn)
        }
    }

    /// As ``AppSignIn/isUnseen``.
    public var isUnseen: Bool { signIn.isUnseen }

    public var owner: PageOwner { PageOwner(signIn: id, generation: generation) }

    /// Accounts that the user had, and has no longer as the project says now.
    ///
    /// What a sign-in's answer said is in the provider's words, and the project may have another identifier for the same account: while that
    /// is all that is known, only a provider that is missing counts.
    public func identities(goneFrom user: User) -> [Identity] {
        self.user.identities.filter { known in
            !user.identities.contains { $0.providerID == known.providerID && (isProvisional || $0.subject.isSame(known.subject)) }
        }
    }

    /// What the project says of the user now lacks something that it said before: a way to sign in, or the address.
    public func hasLost(beside user: User) -> Bool {
        guard user.uid == self.user.uid else { return false }
        return self.user.providerIDs.contains { !user.providerIDs.contains($0) }
            || self.user.identities.contains { known in
                user.identities.contains { $0.providerID == known.providerID && !$0.subject.isSame(known.subject) }
            }
            || (self.user.email != nil && !EmailAddress.isSame(self.user.email, user.email))
    }
}
