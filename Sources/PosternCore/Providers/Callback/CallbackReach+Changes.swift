extension CallbackReach {
    /// What has changed about the addresses, in a sentence.
    public struct Change: Hashable, Sendable {
        public var sentence: String
        /// An address that was not held is held now.
        public var isGood: Bool
    }

    /// What to report after a check: each change once.
    ///
    /// - Parameter old: as of the last check; ``unbound`` before the first one, and nil if callbacks could not be received at all.
    public func changes(since old: CallbackReach?) -> [Change] {
        let main = configured.main
        var changes: [Change] = []
        if main.status != old?.configured.main.status || old == .unbound {
            if main.status != .held {
                changes.append(Change(sentence: trouble ?? "\(main.authority) is not listened on", isGood: false))
            } else if old != .unbound {
                changes.append(Change(sentence: "\(main.authority) is listened on now", isGood: true))
            }
        }
        for place in configured.others where place.status != .held && old?.configured.others.contains(place) != true {
            changes.append(Change(sentence: "\(place.authority) \(place.trouble ?? "is not listened on")", isGood: false))
        }
        for place in configured.localhost where !place.isSafe && place != main && old?.configured.localhost.contains(place) != true {
            changes.append(Change(sentence: "\(place.authority) \(place.trouble ?? "")\(consequenceForLocalhost)", isGood: false))
        }
        return changes
    }
}
