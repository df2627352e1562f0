/// Every rule about accounts, as decisions without effects: the facts are passed in, and what to write is returned.
///
/// The rules are Firebase's; if Firebase's servers and its emulator differ, the stricter of the two.
public enum AccountRules {
    public struct Decision: Sendable, Equatable {
        public var user: User
        public var isNewUser: Bool
        public var changes: AccountChanges
        /// For the page on which the user signed in, if it is one of ours.
        public var review: LinkReview?

        public init(user: User, isNewUser: Bool = false, changes: AccountChanges) {
            self.user = user
            self.isNewUser = isNewUser
            self.changes = changes
        }
    }

    /// A provider vouched for an identity: what follows from it?
    public static func decide(_ request: IdentityRequest, _ facts: AccountFacts) throws(AccountRefusal) -> Decision {
        try request.proof.require(
            for: request.intent, at: request.identity.providerID, isPage: request.asked != .now,
            withSecondFactor: request.secondFactor != nil)
        return switch request.intent {
        case .link: try link(request, facts)
        case .reauthenticate: try reauthenticate(request, facts)
        case .signIn, .credential: try signIn(request, facts)
        }
    }

    // MARK: Signing in

    private static func signIn(_ request: IdentityRequest, _ facts: AccountFacts) throws(AccountRefusal) -> Decision {
        try request.asked.requireReplaceable(facts.current.map(PageOwner.init))
        if let owner = facts.owner {
            return try signedIn(refreshed(owner, request), request, facts)
        }
        let identity = request.identity
        // Several share an address if that was once allowed; the one who proved it to be theirs did not squat it.
        guard request.oneAccountPerEmail, let email = identity.email,
            let namesake = Self.namesake(among: facts.namesakes)
        else { return made(request, facts) }
        // Every program can have an access token, or a page that asked nobody: it identifies the account's own user, and nobody else.
        guard request.isAuthority, request.seenAt != nil else {
            throw .accountExists(email: EmailAddress.lowercased(email), providerIDs: distinct(facts.namesakes.flatMap(\.providerIDs)))
        }
        // Another account of the provider with the user: the address was given to somebody else. One on probation says nothing: whoever found
        // a program open may have linked it.
        let isTakenOver = namesake.identity(at: identity.providerID).map { $0.link?.showsUser(now: request.now) ?? true } ?? false
        return namesake.addressProof == .authority && !isTakenOver
            ? try joined(namesake, by: identity, request, facts)
            : try recovered(namesake, by: identity, request, facts)
    }

    /// The user whose address has the strongest proof; of several, the oldest.
    private static func namesake(among namesakes: [User]) -> User? {
        namesakes.first.map { first in
            namesakes.dropFirst().reduce(first) { $1.addressProof > $0.addressProof ? $1 : $0 }
        }
    }

    private static func made(_ request: IdentityRequest, _ facts: AccountFacts) -> Decision {
        let identity = request.identity
        // If addresses may be shared, they belong to the identities alone, so that none of them identifies a user.
        let email = request.oneAccountPerEmail ? identity.email.map(EmailAddress.lowercased) : nil
        let user = User(
            uid: request.newUID, displayName: identity.displayName, email: email,
            addressProof: email == nil ? .none : request.shownAddressProof, photoURL: identity.photoURL, identities: [identity],
            createdAt: request.now, lastSignInAt: request.now, hasOwner: request.seenAt != nil)
        return Decision(
            user: user, isNewUser: true, changes: AccountChanges(upsertUser: user, signIn: signIn(as: user, request, facts)))
    }

    /// What is known of the user, with what an identity that belongs to it says now. An access token alone says nothing new: it may be an
    /// old one.
    ///
    /// Firebase updates what the provider says and leaves the user's own name, address and photo unchanged. The authority for that address
    /// proves it again each time, including the first time if it has become the authority since.
    private static func refreshed(_ user: User, _ request: IdentityRequest) -> User {
        guard request.proof.showsPerson else { return user }
        var user = user
        var identity = request.identity
        if request.isAuthority, showsUser(user, request), let email = identity.email,
            EmailAddress.isSame(user.email, EmailAddress.lowercased(email))
        {
            user.addressProof = .authority
        }
        guard let index = user.identities.firstIndex(where: { $0.isAccount(of: identity) }) else {
            user.identities.append(identity)
            return user
        }
        // Apple sends a name once. Elsewhere a name that is no longer sent was hardly ever removed.
        identity.displayName = identity.displayName ?? user.identities[index].displayName
        identity.link = user.identities[index].link
        user.identities[index] = identity
        return user
    }

    /// The authority for the address says who its owner is, and the account's address was proved before: both are the same person.
    private static func joined(
        _ namesake: User, by identity: Identity, _ request: IdentityRequest, _ facts: AccountFacts
    ) throws(AccountRefusal) -> Decision {
        var user = taken(namesake, by: identity)
        // One on probation, which makes room.
        let displaced = namesake.identities.filter { $0.providerID == identity.providerID }
        if !displaced.isEmpty { user.generation &+= 1 }
        var decision = try signedIn(user, request, facts)
        if !displaced.isEmpty { decision.changes.lose(displaced, in: request.app) }
        return decision
    }

    /// Somebody created the account with an address that was never proved to be theirs, whatever another provider said about it; or they had
    /// the address before. Now its owner has signed in, and all other ways to sign in are removed.
    private static func recovered(
        _ namesake: User, by identity: Identity, _ request: IdentityRequest, _ facts: AccountFacts
    ) throws(AccountRefusal) -> Decision {
        var user = taken(namesake, by: identity)
        user.identities = [identity]
        user.hasPassword = false
        // A squatter may have added them to lock the owner out.
        user.secondFactors = []
        user.addressProof = .authority
        user.hasOwner = true
        user.generation &+= 1
        var decision = try signedIn(user, request, facts)
        decision.changes.password = .removed
        decision.changes.signsOutOtherApps = true
        decision.changes.endsPending = true
        decision.changes.released = namesake.identities.map(CredentialKey.init)
        return decision
    }

    private static func taken(_ user: User, by identity: Identity) -> User {
        var user = user
        user.isAnonymous = false
        user.identities.removeAll { $0.providerID == identity.providerID }
        user.identities.append(identity)
        // As in Firebase: the authority's profile replaces the previous one, even if it is empty.
        user.displayName = identity.displayName
        user.photoURL = identity.photoURL
        return user
    }

    /// The user is the one who signs in, after a second factor if there is one.
    private static func signedIn(
        _ user: User, _ request: IdentityRequest, _ facts: AccountFacts
    ) throws(AccountRefusal) -> Decision {
        try requireSecondFactor(of: user, given: request.secondFactor)
        var user = user
        user.lastSignInAt = request.now
        var lost: [Identity] = []
        // Only where a page can name what the user loses.
        if showsUser(user, request), request.isPage, let seenAt = request.seenAt {
            lost = user.claim(by: request.identity, seenAt: seenAt)
        }
        if !lost.isEmpty { user.generation &+= 1 }
        let signIn = signIn(as: user, request, facts)
        var decision = Decision(user: user, changes: AccountChanges(upsertUser: user, signIn: signIn))
        if showsUser(user, request), user.hasOwner, let seenAt = request.seenAt {
            decision.review = review(of: user, shownBy: request.identity, lost: lost, seenAt: seenAt, now: request.now)
        }
        if !lost.isEmpty { decision.changes.lose(lost, in: request.app) }
        return decision
    }

    /// Whether the credential shows that the user is present: not an access token alone, nor an account that somebody linked who found a
    /// program open.
    private static func showsUser(_ user: User, _ request: IdentityRequest) -> Bool {
        request.proof.showsPerson && user.identity(at: request.identity.providerID)?.link?.showsUser(now: request.now) ?? true
    }

    /// A credential that does not show the user makes no sign-in recent, nor does any for a user who has no owner yet: it counts as long ago,
    /// or as old as the app's previous sign-in.
    private static func signIn(as user: User, _ request: IdentityRequest, _ facts: AccountFacts) -> AppSignIn {
        let before = facts.current.flatMap { $0.user.uid == user.uid ? $0.signIn.authenticatedAt : nil }
        let presence =
            showsUser(user, request) && user.hasOwner
            ? request.proof.presence(withSecondFactor: request.secondFactor != nil, now: request.now, before: before)
            : before ?? Timestamp(milliseconds: 0)
        let renewed = request.intent == .reauthenticate ? facts.current?.signIn.id : nil
        return AppSignIn(
            id: renewed ?? request.newSignIn, app: request.app, uid: user.uid, authenticatedAt: presence,
            providerID: request.identity.providerID, secondFactor: request.secondFactor)
    }

    static func requireSecondFactor(of user: User, given: String?) throws(AccountRefusal) {
        guard !user.secondFactors.isEmpty, !user.hasSecondFactor(given) else { return }
        throw .secondFactorRequired(uid: user.uid, hints: user.secondFactors, generation: user.generation)
    }

    // MARK: Linking and proving

    /// The sign-in that a page is opened for. Linking and reauthenticating require one before the page is opened: otherwise the account of
    /// the person who answers the page would be linked to whoever signs in meanwhile.
    public static func pageOwner(for intent: Intent, current: PageOwner?) throws(AccountFailure) -> PageOwner? {
        switch intent {
        case .credential: return nil
        case .signIn: return current
        case .link, .reauthenticate:
            guard let current else { throw .refused(.noCurrentUser) }
            return current
        }
    }

    private static func link(_ request: IdentityRequest, _ facts: AccountFacts) throws(AccountRefusal) -> Decision {
        guard let current = facts.current else { throw .noCurrentUser }
        try request.asked.require(PageOwner(current))
        var identity = request.identity
        if let linked = current.user.identity(at: identity.providerID) {
            guard linked.isAccount(of: identity) else {
                throw .providerAlreadyLinked(providerID: identity.providerID, account: ExpectedAccount.name(of: linked))
            }
            // It is linked already; the profile may be newer.
            var signIn = current.signIn
            if !current.user.hasSecondFactor(signIn.secondFactor) {
                try requireSecondFactor(of: current.user, given: request.secondFactor)
                signIn.secondFactor = request.secondFactor
            }
            signIn.providerID = identity.providerID
            return Decision(
                user: refreshed(current.user, request),
                changes: AccountChanges(upsertUser: refreshed(current.user, request), signIn: signIn))
        }
        guard facts.owner == nil else { throw .credentialAlreadyInUse(email: identity.email) }
        if request.oneAccountPerEmail, let email = identity.email,
            facts.namesakes.contains(where: { $0.uid != current.user.uid })
        {
            throw .emailAlreadyInUse(email: EmailAddress.lowercased(email))
        }
        var signIn = current.signIn
        // A new way to sign in without a second factor requires that factor, if this sign-in is older than it.
        if !current.user.hasSecondFactor(signIn.secondFactor) {
            try requireSecondFactor(of: current.user, given: request.secondFactor)
            signIn.secondFactor = request.secondFactor
        }
        let isProved = current.user.isAnonymous || isPresent(current, request)
        identity.link = IdentityLink(at: request.now, signIn: signIn.id, isProved: isProved, isOfNobody: !current.user.hasOwner)
        var user = current.user
        if user.isAnonymous {
            // Nobody was anybody before: the user is whoever was seen now, and from when they were.
            signIn.authenticatedAt = request.proof.presence(withSecondFactor: request.secondFactor != nil, now: request.now, before: nil)
        }
        user.identities.append(identity)
        user.isAnonymous = false
        // With an address of their own, somebody who found a program open could let another provider sign them in as this user.
        if isProved { takeAddress(of: identity, for: &user, request) }
        // An app's tokens name the provider that was used last, as Firebase's do; linking proves nothing about the user.
        signIn.providerID = identity.providerID
        return Decision(user: user, changes: AccountChanges(upsertUser: user, signIn: signIn))
    }

    private static func isPresent(_ current: (signIn: AppSignIn, user: User), _ request: IdentityRequest) -> Bool {
        do throws(AccountFailure) { try requireRecent(current, isRecent: request.isRecent) } catch { return false }
        return true
    }

    /// A user without an address gets the identity's; for a user with the same one, it becomes proved as well as the identity's is.
    private static func takeAddress(of identity: Identity, for user: inout User, _ request: IdentityRequest) {
        guard let email = identity.email.map(EmailAddress.lowercased) else { return }
        if let own = user.email {
            // Byte for byte: two forms of one letter are two addresses.
            guard own.utf8.elementsEqual(email.utf8) else { return }
            user.addressProof = max(user.addressProof, request.addressProof)
        } else if request.oneAccountPerEmail {
            // If addresses may be shared, they belong to the identities alone.
            user.email = email
            user.addressProof = request.addressProof
        }
    }

    private static func reauthenticate(_ request: IdentityRequest, _ facts: AccountFacts) throws(AccountRefusal) -> Decision {
        guard let current = facts.current else { throw .noCurrentUser }
        try request.asked.require(PageOwner(current))
        guard let owner = facts.owner, owner.uid == current.user.uid else { throw .userMismatch }
        guard showsUser(owner, request) else {
            let link = owner.identity(at: request.identity.providerID)?.link
            throw .linkNotProved(providerID: request.identity.providerID, isOfNobody: link?.isOfNobody ?? false)
        }
        let decision = try signedIn(refreshed(owner, request), request, facts)
        // That is all that it is for.
        var seen = current.signIn
        seen.authenticatedAt = request.proof.presence(withSecondFactor: request.secondFactor != nil, now: request.now, before: nil)
        guard request.isRecent(seen), decision.user.hasOwner else {
            let absence = AccountRefusal.Absence(of: request.proof, isPage: request.asked != .now)
            throw .personNotSeen(providerID: request.identity.providerID, absence)
        }
        return decision
    }

    static func distinct(_ providerIDs: [String]) -> [String] { Scopes.withoutRepetition(providerIDs) }
}

extension User {
    fileprivate func hasSecondFactor(_ uid: String?) -> Bool { secondFactors.contains { $0.uid == uid } }

    /// Somebody was seen, in a page, as a user whom nobody had been seen as: the user begins anew, with the account that showed them.
    ///
    /// - Returns: the accounts that the user had besides; programs had linked them, for whomever.
    fileprivate mutating func claim(by identity: Identity, seenAt: Timestamp) -> [Identity] {
        // The provider may have asked last before the user was made: that shows nobody as this user.
        guard !hasOwner, createdAt <= seenAt else { return [] }
        hasOwner = true
        let lost = identities.filter { !$0.isAccount(of: identity) }
        identities.removeAll { !$0.isAccount(of: identity) }
        return lost
    }
}

extension Identity {
    /// The same account at the same provider, byte for byte: a provider may distinguish subjects that are equal in Unicode.
    func isAccount(of other: Identity) -> Bool {
        providerID == other.providerID && subject.isSame(other.subject)
    }
}
