import PosternValues

/// Values that are valid for a while, limited in number: the oldest are dropped.
struct ExpiringTable<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        var expiresAt: Timestamp
        /// The oldest has the smallest.
        var number: UInt64
    }

    let capacity: Int
    let seconds: Int64
    private var entries: [String: Entry] = [:]
    private var lastNumber: UInt64 = 0

    init(capacity: Int, seconds: Int64) {
        self.capacity = capacity
        self.seconds = seconds
    }

    var count: Int { entries.count }

    mutating func insert(_ value: Value, under key: String, now: Timestamp) {
        if entries.count >= capacity { entries = entries.filter { now < $0.value.expiresAt } }
        if entries.count >= capacity, let oldest = entries.min(by: { $0.value.number < $1.value.number }) { entries[oldest.key] = nil }
        lastNumber += 1
        entries[key] = Entry(value: value, expiresAt: now.adding(seconds: seconds), number: lastNumber)
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
}
