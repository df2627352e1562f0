/// A program's changes to its user. Members that are nil stay as they are; an empty name or photo is removed.
public struct ProfileUpdate: Sendable, Equatable {
    public var displayName: String?
    public var photoURL: String?
    /// In lower case.
    public var email: String?
    public var setsPassword: Bool

    public init(displayName: String? = nil, photoURL: String? = nil, email: String? = nil, setsPassword: Bool = false) {
        self.displayName = displayName
        self.photoURL = photoURL
        self.email = email
        self.setsPassword = setsPassword
    }
}

/// The user itself: its profile, its ways to sign in, its creation and its deletion.
extension AccountRules {
    /// Whether the change is allowed; if one part is refused, none of it is made.
    public static func updated(
        _ update: ProfileUpdate, of current: (signIn: AppSignIn, user: User)?, isRecent: (AppSignIn) -> Bool, namesakes: [User]
    ) throws(AccountFailure) -> User {
        guard let current else { throw .refused(.noCurrentUser) }
        var user = current.user
        if let name = update.displayName { user.displayName = name.isEmpty ? nil : name }
        if let photo = update.photoURL { user.photoURL = photo.isEmpty ? nil : photo }
        let newAddress = update.email.flatMap { EmailAddress.isSame($0, user.email) ? nil : $0 }
        if newAddress != nil || update.setsPassword { try requireRecent(current, isRecent: isRecent) }
        if let newAddress {
            try requireFree(email: newAddress, for: user.uid, namesakes: namesakes)
            user.email = newAddress
            user.addressProof = .none
        }
        if update.setsPassword {
            guard user.email != nil else { throw .password(.addressMissing) }
            user.hasPassword = true
        }
        // An address alone is no way to sign in: nobody could return to the user.
        if user.hasWayIn { user.isAnonymous = false }
        return user
    }

    /// - Parameter password: the hash of the new one; nil if it stays.
    public static func update(
        _ update: ProfileUpdate, password: PasswordHash?, of current: (signIn: AppSignIn, user: User)?,
        isRecent: (AppSignIn) -> Bool, namesakes: [User]
    ) throws(AccountFailure) -> Decision {
        let user = try updated(update, of: current, isRecent: isRecent, namesakes: namesakes)
        guard var current else { throw .refused(.noCurrentUser) }
        // A person who signed in with the old address or password may be the reason for the change (Firebase's `validSince`).
        let endsOthers = password != nil || !EmailAddress.isSame(user.email, current.user.email)
        var changes = AccountChanges(upsertUser: user)
        if endsOthers { changes.upsertUser?.generation &+= 1 }
        if let password {
            changes.password = .set(password)
            current.signIn.providerID = User.passwordProviderID
        }
        changes.signsOutOtherApps = endsOthers
        changes.endsPending = endsOthers
        changes.signIn = current.signIn
        return Decision(user: changes.upsertUser ?? user, changes: changes)
    }

    /// Firebase allows removing the last one, after which nobody can sign in as the user. Here it stays until the user has another or is
    /// deleted.
    ///
    /// Someone who finds a program open must not be able to leave an account of their own as the only way in. Everybody may undo what the
    /// same sign-in of the app linked a moment ago.
    public static func unlink(
        _ providerID: String, from current: (signIn: AppSignIn, user: User)?, isRecent: (AppSignIn) -> Bool
    ) throws(AccountFailure) -> Decision {
        guard let current else { throw .refused(.noCurrentUser) }
        var user = current.user
        guard user.providerIDs.contains(providerID) else { throw .refused(.noSuchProvider(providerID: providerID)) }
        guard user.providerIDs.count > 1 else { throw .refused(.lastProvider(providerID: providerID)) }
        if !isOwnLink(providerID, of: current, isRecent: isRecent) { try requireRecent(current, isRecent: isRecent) }
        var changes = AccountChanges()
        changes.signsOutUnseenAppsExcept = current.signIn.app
        changes.endsPending = true
        user.generation &+= 1
        if providerID == User.passwordProviderID {
            user.hasPassword = false
            changes.password = .removed
            // The address came with the password, unless an account that stays has it as well.
            if !user.identities.contains(where: { EmailAddress.isSame($0.email.map(EmailAddress.lowercased), user.email) }) {
                user.email = nil
                user.addressProof = .none
            }
        } else {
            changes.released = user.identities.filter { $0.providerID == providerID }.map(CredentialKey.init)
            user.identities.removeAll { $0.providerID == providerID }
        }
        changes.upsertUser = user
        return Decision(user: user, changes: changes)
    }

    private static func isOwnLink(
        _ providerID: String, of current: (signIn: AppSignIn, user: User), isRecent: (AppSignIn) -> Bool
    ) -> Bool {
        guard let link = current.user.identity(at: providerID)?.link, link.signIn == current.signIn.id else { return false }
        var then = current.signIn
        then.authenticatedAt = link.at
        return isRecent(then)
    }

    /// The providers of users whose own address it is, and of those who have it from a provider.
    ///
    /// If addresses may be shared, a provider's says nothing about a user: only the password is named.
    public static func providers(of users: [User], oneAccountPerEmail: Bool) -> [String] {
        guard oneAccountPerEmail else { return users.contains(where: \.hasPassword) ? [User.passwordProviderID] : [] }
        return distinct(users.flatMap(\.providerIDs))
    }

    // MARK: Anonymous users, and the end of all

    /// Nobody can return to anonymous users that no app is signed in as. The latest are kept for inspection.
    public static let orphanLimit = 100

    /// The most apps whose current user is anonymous. A program can name as many apps as it likes, and each would leave a user behind.
    public static let anonymousAppLimit = 256

    /// - Parameter anonymousApps: apps that have an anonymous current user now.
    public static func signInAnonymously(
        _ current: (signIn: AppSignIn, user: User)?, anonymousApps: Int, app: AppName, newUID: String, newSignIn: String, now: Timestamp
    ) throws(AccountFailure) -> Decision {
        if let current, current.user.isAnonymous { return Decision(user: current.user, changes: AccountChanges()) }
        try requireRoom(anonymousApps: anonymousApps)
        let user = User(uid: newUID, isAnonymous: true, createdAt: now, lastSignInAt: now)
        var changes = AccountChanges(
            upsertUser: user,
            signIn: AppSignIn(id: newSignIn, app: app, uid: newUID, authenticatedAt: now, providerID: AppSignIn.anonymousProviderID))
        changes.orphanLimit = orphanLimit
        return Decision(user: user, isNewUser: true, changes: changes)
    }

    public static func requireRoom(anonymousApps: Int) throws(AccountFailure) {
        guard anonymousApps < anonymousAppLimit else { throw .refused(.tooManyAnonymousUsers(limit: anonymousAppLimit)) }
    }

    public static func deleteUser(
        _ current: (signIn: AppSignIn, user: User)?, isRecent: (AppSignIn) -> Bool
    ) throws(AccountFailure) -> Decision {
        guard let current else { throw .refused(.noCurrentUser) }
        try requireRecent(current, isRecent: isRecent)
        var changes = AccountChanges()
        changes.deleteUser = current.user.uid
        changes.released = current.user.identities.map(CredentialKey.init)
        return Decision(user: current.user, changes: changes)
    }
}

/// Limits on what programs may call a user.
public enum ProfileRules {
    /// Shown in terminals and on pages: it must not move a cursor, reverse text or break a line. Joiners are needed for letters in Persian
    /// and Hindi, and combine several emoji into one.
    public static func isName(_ text: String) -> Bool {
        text.unicodeScalars.count <= ProviderText.longestName && text.utf8.count <= 4 * ProviderText.longestName
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
                case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            }
    }

    /// A picture on the web, as from providers: no `data:` that would fill the store, no `javascript:` that would run on a page.
    public static func isPhotoURL(_ text: String) -> Bool { ProfileDocument.isWebAddress(text) }
}
