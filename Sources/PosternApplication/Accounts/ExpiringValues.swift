import PosternCore

/// Values that somebody may come back for within some minutes, only in memory; if there are too many, the oldest are dropped.
struct ExpiringValues<Value> {
    static var limit: Int { 256 }
    static var lifetimeSeconds: Int64 { 600 }

    private var entries: [String: (value: Value, expiresAt: Timestamp)] = [:]

    subscript(key: String, now now: Timestamp) -> Value? {
        get { entries[key].flatMap { $0.expiresAt > now ? $0.value : nil } }
        set {
            guard let newValue else { return entries[key] = nil }
            // An existing entry keeps its time.
            let expiresAt = entries[key]?.expiresAt ?? now.adding(seconds: Self.lifetimeSeconds)
            makeRoom(now: now)
            entries[key] = (newValue, expiresAt)
        }
    }

    func isEmpty(now: Timestamp) -> Bool { !entries.values.contains { $0.expiresAt > now } }

    private mutating func makeRoom(now: Timestamp) {
        entries = entries.filter { $0.value.expiresAt > now }
        guard entries.count >= Self.limit, let oldest = entries.min(by: { $0.value.expiresAt < $1.value.expiresAt }) else { return }
        entries[oldest.key] = nil
    }
}
