/// What became of step-ups a short while ago: a server that always wants more must not have a person asked again and again.
public struct StepUpMemory: Sendable {
    /// In seconds: what was refused is not asked for again before.
    public static let pause: Int64 = 600
    /// Sign-ins that brought what was asked for, after which the server asked for the same once more.
    public static let mostTries = 2
    /// More than a person answers in that time; beyond it the oldest is forgotten.
    static let most = 64

    /// Of one account, and what was to be granted.
    private struct Demand: Hashable {
        var account: CredentialKey
        var scopes: Set<String>
        var authenticationClasses: Set<String>
        var longestSinceAuthentication: Int64?
    }

    private struct Entry {
        var tries = 0
        var isRefused = false
        var at: Timestamp
    }

    private var entries: [Demand: Entry] = [:]

    public init() {}

    /// In how many seconds it may be tried; nil if that is now.
    public func wait(for stepUp: StepUp, providerID: String, now: Timestamp) -> Int64? {
        guard let entry = entries[Self.demand(stepUp, providerID)], entry.isRefused || entry.tries >= Self.mostTries else { return nil }
        let age = now.seconds(since: entry.at)
        // Setting back the clock ends it.
        return (0..<Self.pause).contains(age) ? Self.pause - age : nil
    }

    /// A sign-in brought what was asked for. Whether that is enough, the server's next answer says.
    public mutating func granted(_ stepUp: StepUp, providerID: String, now: Timestamp) {
        change(stepUp, providerID, now: now) { entry in
            entry.tries += 1
            entry.isRefused = false
        }
    }

    /// The person or the provider said no, or the provider granted less.
    public mutating func refused(_ stepUp: StepUp, providerID: String, now: Timestamp) {
        change(stepUp, providerID, now: now) { $0.isRefused = true }
    }

    private mutating func change(_ stepUp: StepUp, _ providerID: String, now: Timestamp, _ change: (inout Entry) -> Void) {
        entries = entries.filter { (0..<Self.pause).contains(now.seconds(since: $0.value.at)) }
        let demand = Self.demand(stepUp, providerID)
        if entries[demand] == nil, entries.count >= Self.most, let oldest = entries.min(by: { $0.value.at < $1.value.at })?.key {
            entries[oldest] = nil
        }
        var entry = entries[demand] ?? Entry(at: now)
        change(&entry)
        entry.at = now
        entries[demand] = entry
    }

    private static func demand(_ stepUp: StepUp, _ providerID: String) -> Demand {
        Demand(
            account: CredentialKey(providerID: providerID, subject: stepUp.subject ?? ""), scopes: Set(stepUp.missing),
            authenticationClasses: Set(stepUp.authenticationClasses), longestSinceAuthentication: stepUp.longestSinceAuthentication)
    }
}
