/// Whose a user is, from what happened: who was seen as the user, and whom these let in.
///
/// It knows no flag of a user and no rule of the daemon: only principals, acts and moments. What it is for is outcomes: whoever is taken for
/// the user, knows the user's password or has the second factor was the owner, or was let in by somebody who was in, after seeing who.
struct AccountHistory {
    typealias Principal = AccountModel.Principal

    private struct Story {
        /// Who is in.
        var admitted: Set<Principal> = []
        /// Came by a link that nobody who was in was seen at, and may stay if nobody objects within 30 days.
        var waiting: [Principal: Int64] = [:]
        /// It began with a password of nobody knows whom: whoever came is in.
        var isAnybodys = false
    }

    private var stories: [Int: Story] = [:]

    static let recent: Int64 = 300
    static let month: Int64 = 30 * 86_400

    /// The principal was seen as the user. The first one is the owner.
    mutating func seen(_ principal: Principal, as uid: Int, at moment: Int64) {
        if stories[uid]?.admitted.isEmpty ?? true, !(stories[uid]?.isAnybodys ?? false) { stories[uid, default: Story()].admitted = [principal] }
    }

    /// A user whom nobody had been got a password: nobody knows from whom.
    mutating func began(unknown uid: Int) { stories[uid, default: Story()].isAnybodys = true }

    /// Their account came to the user in an app that was signed in as the user.
    ///
    /// - Parameters:
    ///   - present: who was seen in that app last, and when.
    ///   - isFirst: the user was anonymous, and the principal was seen in what was linked.
    mutating func linked(
        _ principal: Principal, to uid: Int, by present: Principal?, at moment: Int64?, isFirst: Bool, now: Int64
    ) {
        var story = stories[uid] ?? Story()
        defer { stories[uid] = story }
        if isFirst {
            story.admitted.insert(principal)
        } else if let present, story.admitted.contains(present) || story.isAnybodys, let moment, (0...Self.recent).contains(now - moment) {
            story.admitted.insert(principal)
        } else if !story.admitted.isEmpty || story.isAnybodys {
            // Somebody is in who can notice it.
            story.waiting[principal] = min(now, story.waiting[principal] ?? now)
        }
    }

    /// Somebody who was in saw the account named, and kept it.
    mutating func letIn(_ principal: Principal, to uid: Int, by keeper: Principal) {
        guard isIn(keeper, uid, now: nil) else { return }
        stories[uid, default: Story()].admitted.insert(principal)
    }

    /// The address is theirs, and was not proved before: everybody else is out.
    mutating func recovered(_ uid: Int, by principal: Principal) { stories[uid] = Story(admitted: [principal]) }

    /// The address was proved before, and is theirs now.
    mutating func joined(_ uid: Int, by principal: Principal, at email: String?, wasHandedOver: Bool) {
        // Nobody tells that it changed hands (gap 32 of the threat model).
        if wasHandedOver { stories[uid, default: Story()].admitted.insert(principal) }
    }

    private func isIn(_ principal: Principal, _ uid: Int, now: Int64?) -> Bool {
        guard let story = stories[uid] else { return false }
        if story.isAnybodys || story.admitted.contains(principal) { return true }
        guard let now, let since = story.waiting[principal] else { return false }
        return now - since >= Self.month - Self.recent
    }

    /// - Parameter holder: nil if nobody knows who; they are nobody's enemy.
    func problem(_ holder: Principal?, is what: String, of uid: Int, now: Int64) -> String? {
        guard let holder, holder >= 0, !isIn(holder, uid, now: now) else { return nil }
        return "\(holder) \(what) of user \(uid), and nobody who was in let them in: \(stories[uid].map { "\($0.admitted.sorted())" } ?? "no story")"
    }
}
