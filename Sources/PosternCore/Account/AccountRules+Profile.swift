/// What a program wants changed of its user. Members that are nil stay as they are; an empty name or photo is taken away.
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

/// The user itself: its profile, its ways in, its beginning and its end.
extension AccountRules {
    /// Whether the change may be made; nothing of it is where one part is refused.
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
        // An address alone is no way in, but it tells who it is.
        if user.email != nil { user.isAnonymous = false }
        return user
    }

    /// - Parameter password: made of the new one; nil if it stays.
    public static func update(
        _ update: ProfileUpdate, password: PasswordHash?, of current: (signIn: AppSignIn, user: User)?,
        isRecent: (AppSignIn) -> Bool, namesakes: [User]
    ) throws(AccountFailure) -> Decision {
        let user = try updated(update, of: current, isRecent: isRecent, namesakes: namesakes)
        guard var current else { throw .refused(.noCurrentUser) }
        var changes = AccountChanges(upsertUser: user)
        if let password {
            changes.password = .set(password)
            current.signIn.providerID = User.passwordProviderID
        }
        // Whoever was signed in by the old address or password may be whom they were changed for (Firebase's `validSince`).
        changes.signsOutOtherApps = password != nil || !EmailAddress.isSame(user.email, current.user.email)
        changes.signIn = current.signIn
        return Decision(user: user, changes: changes)
    }

    /// Firebase lets the last one go, after which nobody can sign in as the user. Here it stays until there is another, or the user goes.
    public static func unlink(_ providerID: String, from current: (signIn: AppSignIn, user: User)?) throws(AccountFailure) -> Decision {
        guard let current else { throw .refused(.noCurrentUser) }
        var user = current.user
        guard user.providerIDs.contains(providerID) else { throw .refused(.noSuchProvider(providerID: providerID)) }
        guard user.providerIDs.count > 1 else { throw .refused(.lastProvider(providerID: providerID)) }
        var changes = AccountChanges()
        if providerID == User.passwordProviderID {
            user.hasPassword = false
            changes.password = .removed
            // The address came with the password, unless an account that stays has it as well.
            if !user.identities.contains(where: { EmailAddress.isSame($0.email?.lowercased(), user.email) }) {
                user.email = nil
                user.addressProof = .none
            }
        } else {
            user.identities.removeAll { $0.providerID == providerID }
        }
        changes.upsertUser = user
        return Decision(user: user, changes: changes)
    }

    /// Of those whose own address it is, and of those who have it from a provider.
    ///
    /// Where addresses may be shared, a provider's says nothing about a user: the password alone is told.
    public static func providers(of users: [User], oneAccountPerEmail: Bool) -> [String] {
        guard oneAccountPerEmail else { return users.contains(where: \.hasPassword) ? [User.passwordProviderID] : [] }
        var seen: Set<String> = []
        return users.flatMap(\.providerIDs).filter { seen.insert($0).inserted }
    }

    // MARK: Anonymous users, and the end of all

    /// Anonymous users whom no app is signed in as can never be come back to. The latest are kept for who looks after them.
    public static let orphanLimit = 100

    /// Apps whose current user is anonymous, all together. A program can name as many apps as it likes, and each would leave a user behind.
    public static let anonymousAppLimit = 256

    /// - Parameter anonymousApps: apps that have an anonymous current user now.
    public static func signInAnonymously(
        _ current: (signIn: AppSignIn, user: User)?, anonymousApps: Int, app: String, newUID: String, now: Timestamp
    ) throws(AccountFailure) -> Decision {
        if let current, current.user.isAnonymous { return Decision(user: current.user, changes: AccountChanges()) }
        try requireRoom(anonymousApps: anonymousApps)
        let user = User(uid: newUID, isAnonymous: true, createdAt: now, lastSignInAt: now)
        var changes = AccountChanges(
            upsertUser: user,
            signIn: AppSignIn(app: app, uid: newUID, authenticatedAt: now, providerID: AppSignIn.anonymousProviderID))
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
        return Decision(user: current.user, changes: changes)
    }
}

/// Bounds of what programs may call a user.
public enum ProfileRules {
    /// Shown in terminals and on pages: it moves no cursor, turns no text around and breaks no line. Joiners are letters' business in
    /// Persian and Hindi, and make one picture of several.
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

    /// A picture on the web, as providers give it: no `data:` that would fill the store, no `javascript:` that would run on a page.
    public static func isPhotoURL(_ text: String) -> Bool {
        let lowered = text.lowercased()
        guard lowered.hasPrefix("https://") || lowered.hasPrefix("http://") else { return false }
        return text.utf8.count <= ProfileDocument.longestURL && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }
}
