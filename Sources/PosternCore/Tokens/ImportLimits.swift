/// Limits how often a token endpoint is asked about refresh tokens that programs present.
///
/// In memory only: anyone who may restart the daemon may do more than that.
public struct ImportLimits: Sendable {
    /// How long a refused refresh token is not sent again, in seconds.
    public static let memory: Int64 = 600
    /// The most refused tokens remembered, the newest: five at once and one in ten seconds are no more than these in that time.
    public static let most = 65
    private struct Refused {
        var hash: [UInt8]
        var binding: ProviderBinding
        var at: Timestamp
        var reason: String
    }

    /// The oldest first.
    private var refused: [Refused] = []
    private var pace = ProviderPace(capacity: 5, secondsPerRequest: 10)

    public init() {}

    /// Why the provider refused this refresh token a while ago; nil if it may be asked.
    public mutating func refusal(of hash: [UInt8], binding: ProviderBinding, now: Timestamp) -> String? {
        refused.removeAll { !(0..<Self.memory).contains(now.seconds(since: $0.at)) }
        return refused.first { $0.hash == hash && $0.binding == binding }?.reason
    }

    public mutating func wasRefused(_ hash: [UInt8], binding: ProviderBinding, reason: String, now: Timestamp) {
        refused.removeAll { $0.hash == hash && $0.binding == binding }
        refused.append(Refused(hash: hash, binding: binding, at: now, reason: reason))
        if refused.count > Self.most { refused.removeFirst(refused.count - Self.most) }
    }

    /// A request is about to be sent.
    ///
    /// - Returns: nil if it may be sent; otherwise the seconds until the next one may.
    public mutating func wait(providerID: String, now: Timestamp) -> Int64? { pace.wait(providerID: providerID, now: now) }

    /// The last request brought a credential, and does not count: a user may import many accounts.
    public mutating func succeeded(providerID: String) { pace.putBack(providerID: providerID) }
}
