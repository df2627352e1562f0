/// The difference between one provider's clock and ours: signed requests contain the time, and one that is minutes off is refused.
public struct OAuth1Clock: Sendable, Equatable {
    /// In seconds. Servers tolerate minutes; a smaller difference is not why a request was refused.
    static let tolerance: Int64 = 30

    /// In seconds, to be added to ours.
    public private(set) var offset: Int64 = 0

    public init() {}

    /// In seconds since 1970; positive, as RFC 5849 section 3.3 requires.
    public func timestamp(now: Timestamp) -> Int64 { max(1, now.adding(seconds: offset).seconds) }

    /// A request was answered. If it was refused with 401 and the answer's `Date` shows that the clocks differ, the difference is
    /// remembered.
    ///
    /// - Returns: whether to send the request once more, with the corrected time. Not to be called for the answer to that.
    public mutating func answered(
        _ response: ProviderResponse, to request: OAuth1Request, dialect: any ProviderDialect, now: Timestamp
    ) -> Bool {
        guard response.status == 401, let date = response.header("Date").flatMap({ HTTPDate.parse($0.trimmingBlanks()) }) else {
            return false
        }
        let difference = date.seconds(since: now.adding(seconds: offset))
        guard date.seconds > 0, abs(difference) > Self.tolerance else { return false }
        offset += difference
        return !request.usesVerifier || dialect.refusesTimestamp(OAuth1Answer.refusal(in: response, dialect: dialect))
    }
}
