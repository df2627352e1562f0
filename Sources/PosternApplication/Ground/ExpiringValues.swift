import PosternCore

/// Values that somebody may come back for within some minutes, only in memory; if there are too many, the oldest are dropped.
///
/// Their time is that of ``WallClock/uptime``: setting the clock makes none of them live longer or shorter.
struct ExpiringValues<Value> {
    static var limit: Int { 256 }
    static var lifetimeSeconds: Int64 { 600 }

    private var entries: [String: (value: Value, expiresAt: Int64)] = [:]

    subscript(key: String, uptime uptime: Int64) -> Value? {
        get { entries[key].flatMap { $0.expiresAt > uptime ? $0.value : nil } }
        set {
            guard let newValue else { return entries[key] = nil }
            // An existing entry keeps its time.
            let expiresAt = entries[key]?.expiresAt ?? uptime + Self.lifetimeSeconds
            makeRoom(uptime: uptime)
            entries[key] = (newValue, expiresAt)
        }
    }

    mutating func removeAll(where isMeant: (Value) -> Bool) { entries = entries.filter { !isMeant($0.value.value) } }

    func isEmpty(uptime: Int64) -> Bool { !entries.values.contains { $0.expiresAt > uptime } }

    private mutating func makeRoom(uptime: Int64) {
        entries = entries.filter { $0.value.expiresAt > uptime }
        guard entries.count >= Self.limit, let oldest = entries.min(by: { $0.value.expiresAt < $1.value.expiresAt }) else { return }
        entries[oldest.key] = nil
    }
}
