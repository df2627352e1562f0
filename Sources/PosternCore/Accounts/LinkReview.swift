/// What a user is asked on the page on which they signed in: whether accounts that a program linked, when nobody had just been seen as the
/// user, are theirs.
///
/// Nothing else confirms such a link. To sign in is not to agree to what somebody linked meanwhile, so the page names each account, and the
/// person keeps or removes it. Only in memory: after a restart the next sign-in asks again, except about what the user has lost.
public struct LinkReview: Sendable, Hashable {
    public enum Answer: String, Sendable, CaseIterable {
        case keep, remove
    }

    public enum Status: Sendable, Hashable {
        case open
        case answered(Answer)
        /// It could not be carried out, and can be answered again.
        case notSaved
        /// The user or the link is not as it was, or the sign-in is too old by now. A later sign-in asks again, except about a lost account.
        case over

        /// It can be answered.
        public var isOpen: Bool { self == .open || self == .notSaved }
    }

    public struct Item: Sendable, Hashable {
        /// With its link.
        public var identity: Identity
        /// The user has it no longer: nobody had been seen as the user before, and the user began anew with the account that showed them.
        public var isLost: Bool
        public var status = Status.open

        public init(_ identity: Identity, isLost: Bool = false) {
            self.identity = identity
            self.isLost = isLost
        }
    }

    public var uid: String
    /// ``User/generation``
    public var generation: Int64
    /// When the user signed in: an answer counts as long as that is recent.
    public var askedAt: Timestamp
    /// One for each provider.
    public var items: [Item]

    /// - Returns: nil if there is nothing to ask.
    public init?(uid: String, generation: Int64, askedAt: Timestamp, items: [Item]) {
        guard !items.isEmpty else { return nil }
        self.uid = uid
        self.generation = generation
        self.askedAt = askedAt
        self.items = items
    }
}

extension LinkReview {
    /// What is still asked, by its place; nil if it is not.
    public func open(_ index: Int) -> Item? {
        guard items.indices.contains(index), items[index].status.isOpen else { return nil }
        return items[index]
    }

    public mutating func settle(_ index: Int, _ status: Status) {
        if open(index) != nil { items[index].status = status }
    }

    /// The sign-in that the answer belongs to is recent, by what `isRecent` says of the app's sign-ins.
    public func isTimely(_ isRecent: (AppSignIn) -> Bool, app: AppName) -> Bool {
        isRecent(AppSignIn(id: "", app: app, uid: uid, authenticatedAt: askedAt, providerID: ""))
    }
}

extension AccountRules {
    /// What to ask a user who was seen then, shown by this identity; nil if there is nothing to ask.
    ///
    /// - Parameter lost: what the user had until now.
    static func review(of user: User, shownBy identity: Identity, lost: [Identity], seenAt: Timestamp, now: Timestamp) -> LinkReview? {
        let kept = user.identities.filter { other in
            !other.isAccount(of: identity) && other.link?.awaitsReview(seenAt: seenAt, now: now) ?? false
        }
        return LinkReview(
            uid: user.uid, generation: user.generation, askedAt: now,
            items: kept.map { LinkReview.Item($0) } + lost.map { LinkReview.Item($0, isLost: true) })
    }

    /// The person answered on the page.
    ///
    /// - Parameters:
    ///   - user: as it is now; nil if there is none.
    ///   - owner: of the account that is asked about, now.
    ///   - app: in which the user signed in.
    /// - Returns: nil if the question is over.
    public static func answer(
        _ answer: LinkReview.Answer, about item: LinkReview.Item, of review: LinkReview, user: User?, owner: User?, app: AppName,
        isRecent: (AppSignIn) -> Bool
    ) -> Decision? {
        guard review.isTimely(isRecent, app: app), var user, user.uid == review.uid else { return nil }
        if item.isLost {
            if answer == .remove { return Decision(user: user, changes: AccountChanges()) }
            // It may be somebody's by now, and the user may have got another.
            guard owner == nil, user.generation == review.generation, user.identity(at: item.identity.providerID) == nil else {
                return nil
            }
            var identity = item.identity
            identity.link?.keep()
            user.identities.append(identity)
            return Decision(user: user, changes: AccountChanges(upsertUser: user))
        }
        guard let index = user.identities.firstIndex(where: { $0.isAccount(of: item.identity) }),
            user.identities[index].link == item.identity.link
        else { return nil }
        switch answer {
        case .keep:
            user.identities[index].link?.keep()
            return Decision(user: user, changes: AccountChanges(upsertUser: user))
        case .remove:
            let removed = user.identities.remove(at: index)
            // Otherwise nobody could be this user any more.
            guard user.hasWayIn else { return nil }
            user.generation &+= 1
            var changes = AccountChanges(upsertUser: user)
            // No app is spared: this account may have signed in the one whose page asked since.
            changes.lose([removed], in: "")
            return Decision(user: user, changes: changes)
        }
    }
}
