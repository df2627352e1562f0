import PosternValues

/// Values that are valid for a while, limited in number: the oldest are dropped.
struct ExpiringTable<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        var expiresAt: Timestamp
        /// Distinguishes an entry from an earlier one with the same key.
        var number: UInt64
    }

    let capacity: Int
    let seconds: Int64
    private var entries: [String: Entry] = [:]
    /// Oldest first; since all have the same lifetime, the oldest also expire first. Contains removed entries, too.
    private var order: [(key: String, number: UInt64)] = []
    private var first = 0
    private var lastNumber: UInt64 = 0

    init(capacity: Int, seconds: Int64) {
        self.capacity = capacity
        self.seconds = seconds
    }

    var count: Int { entries.count }

    mutating func insert(_ value: Value, under key: String, now: Timestamp) {
        makeRoom(now: now)
        lastNumber += 1
        entries[key] = Entry(value: value, expiresAt: now.adding(seconds: seconds), number: lastNumber)
        order.append((key, lastNumber))
    }

    func value(_ key: String, now: Timestamp) -> Value? {
        guard let entry = entries[key], now < entry.expiresAt else { return nil }
        return entry.value
    }

    /// Does not change when it expires.
    mutating func update(_ key: String, _ change: (inout Value) -> Void) {
        guard var entry = entries[key] else { return }
        change(&entry.value)
        entries[key] = entry
    }

    @discardableResult
    mutating func remove(_ key: String, now: Timestamp) -> Value? {
        guard let entry = entries.removeValue(forKey: key), now < entry.expiresAt else { return nil }
        return entry.value
    }

    private mutating func makeRoom(now: Timestamp) {
        while first < order.count {
            let (key, number) = order[first]
            if let entry = entries[key], entry.number == number {
                if now < entry.expiresAt, entries.count < capacity { break }
                entries[key] = nil
            }
            first += 1
        }
        // Entries that were removed early would accumulate behind a long-lived one.
        if first > order.count / 2 || order.count > 2 * capacity {
            order = order[first...].filter { entries[$0.key]?.number == $0.number }
            first = 0
        }
    }
}
