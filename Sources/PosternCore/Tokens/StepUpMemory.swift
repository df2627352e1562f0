/// What became of step-ups a short while ago: a server that always wants more must not have a person asked again and again.
public struct StepUpMemory: Sendable {
    /// In seconds: what was refused is not asked for again before.
    public static let pause: Int64 = 600
    /// The most step-ups of one account in that time, whatever they asked for and whatever became of them.
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

    /// What was refused, with the time.
    private var refused: [Demand: Timestamp] = [:]
    /// When the last step-ups of an account ended, the oldest first.
    private var ended: [CredentialKey: [Timestamp]] = [:]

    public init() {}

    /// In how many seconds it may be tried; nil if that is now.
    public func wait(for stepUp: StepUp, providerID: String, now: Timestamp) -> Int64? {
        let demand = Self.demand(stepUp, providerID)
        let tries = (ended[demand.account] ?? []).filter { Self.isRecent($0, now: now) }
        let since = [refused[demand], tries.count < Self.mostTries ? nil : tries.last].compactMap { $0 }
        return since.filter { Self.isRecent($0, now: now) }.map { Self.pause - now.seconds(since: $0) }.max()
    }

    /// A sign-in brought what was asked for. Whether that is enough, the server's next answer says.
    public mutating func granted(_ stepUp: StepUp, providerID: String, now: Timestamp) {
        let demand = Self.demand(stepUp, providerID)
        refused[demand] = nil
        tried(demand.account, now: now)
    }

    /// The person or the provider said no, or the provider granted less.
    public mutating func refused(_ stepUp: StepUp, providerID: String, now: Timestamp) {
        let demand = Self.demand(stepUp, providerID)
        refused = refused.filter { Self.isRecent($0.value, now: now) }
        if refused[demand] == nil, refused.count >= Self.most, let oldest = refused.min(by: { $0.value < $1.value })?.key {
            refused[oldest] = nil
        }
        refused[demand] = now
        tried(demand.account, now: now)
    }

    private mutating func tried(_ account: CredentialKey, now: Timestamp) {
        ended = ended.filter { $0.value.contains { Self.isRecent($0, now: now) } }
        if ended[account] == nil, ended.count >= Self.most, let oldest = ended.min(by: { $0.value[0] < $1.value[0] })?.key {
            ended[oldest] = nil
        }
        ended[account] = ((ended[account] ?? []) + [now]).suffix(Self.mostTries)
    }

    /// Setting back the clock ends it.
    private static func isRecent(_ moment: Timestamp, now: Timestamp) -> Bool { (0..<pause).contains(now.seconds(since: moment)) }

    private static func demand(_ stepUp: StepUp, _ providerID: String) -> Demand {
        Demand(
            account: CredentialKey(providerID: providerID, subject: stepUp.subject ?? ""), scopes: Set(stepUp.missing),
            authenticationClasses: Set(stepUp.authenticationClasses), longestSinceAuthentication: stepUp.longestSinceAuthentication)
    }
}
