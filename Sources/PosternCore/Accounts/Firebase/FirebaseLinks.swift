/// How accounts came to users of Firebase projects: a project does not say.
///
/// An entry is kept as long as it matters: a link that shows nobody's presence for ``IdentityLink/probationSeconds``, any other for as long
/// as it may be undone.
public struct FirebaseLinks: Sendable, Equatable {
    /// More than users link within 30 days. If all of them matter, no further account can be linked without a recent sign-in.
    public static let limit = 256

    public struct Entry: Sendable, Equatable {
        /// ``FirebaseSession/project``
        public var project: String
        public var uid: String
        public var providerID: String
        public var link: IdentityLink

        public init(project: String, uid: String, providerID: String, link: IdentityLink) {
            self.project = project
            self.uid = uid
            self.providerID = providerID
            self.link = link
        }
    }

    public private(set) var entries: [Entry]

    public init(entries: [Entry] = []) { self.entries = entries }

    /// Nil if the account was not linked here, or so long ago that it does not matter.
    public func link(of providerID: String, uid: String, project: String) -> IdentityLink? {
        entries.last { $0.providerID == providerID && $0.uid == uid && $0.project == project }?.link
    }

    /// - Throws: ``AccountRefusal/requiresRecentSignIn`` if there is no room for a link that shows nobody's presence.
    public mutating func linked(_ entry: Entry, now: Timestamp) throws(AccountRefusal) {
        entries.removeAll { known in
            let seconds = known.link.isProved ? AppSignIn.recentSeconds : IdentityLink.probationSeconds
            return !known.link.isOfNobody && known.link.at.adding(seconds: seconds) <= now
                || known.providerID == entry.providerID && known.uid == entry.uid && known.project == entry.project
        }
        if entries.count >= Self.limit {
            guard let index = entries.firstIndex(where: \.link.isProved) else {
                guard entry.link.isProved else { throw .requiresRecentSignIn }
                return
            }
            entries.remove(at: index)
        }
        entries.append(entry)
    }

    /// The project did not link the account.
    public mutating func notLinked(_ providerID: String, uid: String, project: String) {
        entries.removeAll { $0.providerID == providerID && $0.uid == uid && $0.project == project }
    }

    /// The project has no such user any more.
    public mutating func forget(uid: String, project: String) { entries.removeAll { $0.uid == uid && $0.project == project } }

    /// What to ask a user who was seen then; nil if there is nothing to ask.
    ///
    /// - Parameter providerID: of the account that showed the user; nil if none did.
    public func review(
        of user: User, project: String, generation: Int64, shownBy providerID: String?, seenAt: Timestamp, now: Timestamp
    ) -> LinkReview? {
        let items = user.identities.compactMap { identity -> LinkReview.Item? in
            guard identity.providerID != providerID, let link = link(of: identity.providerID, uid: user.uid, project: project),
                link.awaitsReview(seenAt: seenAt, now: now)
            else { return nil }
            var identity = identity
            identity.link = link
            return LinkReview.Item(identity)
        }
        return LinkReview(uid: user.uid, generation: generation, askedAt: now, items: items)
    }

    /// The user keeps the account that was linked in this way.
    ///
    /// - Returns: whether it is still linked so.
    public mutating func keep(_ link: IdentityLink, of providerID: String, uid: String, project: String) -> Bool {
        guard
            let index = entries.lastIndex(where: {
                $0.providerID == providerID && $0.uid == uid && $0.project == project && $0.link == link
            })
        else { return false }
        entries[index].link.keep()
        return true
    }
}
