/// Users with an address and a password.
extension AccountRules {
    /// Of all users whose own address it is, the one that a password can belong to.
    public static func passwordUser(among namesakes: [User]) -> User? { namesakes.first(where: \.hasPassword) ?? namesakes.first }

    /// In both settings: if addresses may be shared, those of identities are no user's own.
    public static func requireFree(email: String, for uid: String? = nil, namesakes: [User]) throws(AccountFailure) {
        guard namesakes.allSatisfy({ $0.uid == uid }) else { throw .refused(.emailAlreadyInUse(email: email)) }
    }

    /// - Parameters:
    ///   - email: in lower case.
    ///   - app: signed in as the new user.
    public static func createUser(
        email: String, displayName: String?, password: PasswordHash, app: AppName, newUID: String, newSignIn: String, namesakes: [User],
        now: Timestamp
    ) throws(AccountFailure) -> Decision {
        try requireFree(email: email, namesakes: namesakes)
        let user = User(uid: newUID, displayName: displayName, email: email, hasPassword: true, createdAt: now, lastSignInAt: now)
        var changes = AccountChanges(
            upsertUser: user,
            signIn: AppSignIn(id: newSignIn, app: app, uid: newUID, authenticatedAt: now, providerID: User.passwordProviderID))
        changes.password = .set(password)
        return Decision(user: user, isNewUser: true, changes: changes)
    }

    /// The password was the user's.
    ///
    /// - Parameters:
    ///   - secondFactor: the one that was given, by its `uid`.
    ///   - current: the app's sign-in; its user alone can reauthenticate.
    public static func signIn(
        byPassword user: User, secondFactor: String? = nil, intent: Intent, app: AppName, newSignIn: String,
        current: (signIn: AppSignIn, user: User)?, now: Timestamp
    ) throws(AccountRefusal) -> Decision {
        var id = newSignIn
        if intent == .reauthenticate {
            guard let current else { throw .noCurrentUser }
            guard current.user.uid == user.uid else { throw .userMismatch }
            id = current.signIn.id
        }
        try requireSecondFactor(of: user, given: secondFactor)
        var user = user
        user.lastSignInAt = now
        let signIn = AppSignIn(
            id: id, app: app, uid: user.uid, authenticatedAt: now, providerID: User.passwordProviderID, secondFactor: secondFactor)
        return Decision(user: user, changes: AccountChanges(upsertUser: user, signIn: signIn))
    }

    /// Whether the app's user can be given an address and a password.
    ///
    /// - Parameter isRecent: the user was present a moment ago.
    public static func requirePasswordLinkable(
        email: String, to current: (signIn: AppSignIn, user: User)?, isRecent: (AppSignIn) -> Bool, namesakes: [User]
    ) throws(AccountFailure) -> (signIn: AppSignIn, user: User) {
        guard let current else { throw .refused(.noCurrentUser) }
        guard !current.user.hasPassword else { throw .refused(.providerAlreadyLinked(providerID: User.passwordProviderID)) }
        try requireFree(email: email, for: current.user.uid, namesakes: namesakes)
        // As for setting one: otherwise someone who finds a program open could sign in with it, and count as recent for everything else.
        try requireRecent(current, isRecent: isRecent)
        return current
    }

    /// An anonymous user becomes a permanent one, and keeps its uid.
    public static func linkPassword(
        _ password: PasswordHash, email: String, to current: (signIn: AppSignIn, user: User)?, isRecent: (AppSignIn) -> Bool,
        namesakes: [User]
    ) throws(AccountFailure) -> Decision {
        var (signIn, user) = try requirePasswordLinkable(email: email, to: current, isRecent: isRecent, namesakes: namesakes)
        let changesAddress = user.email != nil && !EmailAddress.isSame(user.email, email)
        if !EmailAddress.isSame(user.email, email) {
            user.email = email
            user.addressProof = .none
        }
        if changesAddress { user.generation &+= 1 }
        user.isAnonymous = false
        user.hasPassword = true
        // Linking proves nothing about the user: the time of the sign-in stays.
        signIn.providerID = User.passwordProviderID
        var changes = AccountChanges(upsertUser: user, signIn: signIn)
        changes.password = .set(password)
        changes.signsOutOtherApps = changesAddress
        changes.endsPending = changesAddress
        return Decision(user: user, changes: changes)
    }

    // MARK: Recently

    /// The person was present a moment ago, with everything that is required of this user.
    ///
    /// Nobody ever proved to be an anonymous user, and nobody can prove it again.
    public static func requireRecent(
        _ current: (signIn: AppSignIn, user: User), isRecent: (AppSignIn) -> Bool
    ) throws(AccountFailure) {
        if current.user.isAnonymous { return }
        guard isRecent(current.signIn) else { throw .refused(.requiresRecentSignIn) }
        try requireFactorGiven(current)
    }

    /// A sign-in from before the second factor is not enough for what the factor protects.
    static func requireFactorGiven(_ current: (signIn: AppSignIn, user: User)) throws(AccountFailure) {
        let factors = current.user.secondFactors
        guard factors.isEmpty || factors.contains(where: { $0.uid == current.signIn.secondFactor }) else {
            throw .refused(.requiresRecentSignIn)
        }
    }
}
