/// A provider that cannot answer now: nothing was refused, and a later request may succeed.
public struct TransientFailure: Error, Sendable, Hashable {
    /// The longest wait, in seconds. If a provider names a longer one, it is asked again after this one.
    public static let longestWait: Int64 = 24 * 3600

    public var status: Int
    /// An error code in the body, cleaned for display: `temporarily_unavailable`.
    public var error: String?
    /// The provider's own words for it, cleaned in the same way.
    public var errorDescription: String?
    /// How long the provider must not be asked; nil if it does not say.
    public var retryAfterSeconds: Int64?

}

extension TransientFailure {
    /// Nil if the answer is final: any status but 408, 429 and 5xx.
    public init?(_ response: ProviderResponse, now: Timestamp) {
        switch response.status {
        case 408, 429, 500...599: self.init(status: response.status, retryAfterSeconds: response.retryAfterSeconds(now: now))
        default: return nil
        }
    }
}

extension TransientFailure: CustomStringConvertible {
    public var description: String { sentence(of: "it") }

    /// - Parameter endpoint: who cannot answer.
    func sentence(of endpoint: String) -> String {
        let what = status == 429 ? "\(endpoint) received too many requests" : "\(endpoint) cannot answer now"
        let code = error.map { ", \($0)" } ?? ""
        let words = errorDescription.map { ": \($0)" } ?? ""
        let wait = retryAfterSeconds.map { "try again in \($0) s" } ?? "try again later"
        return "\(what) (status \(status)\(code)\(words)); \(wait)"
    }
}

extension ProviderResponse {
    /// `Retry-After` in either of its forms (RFC 9110 section 10.2.3), within 0 and 24 hours; nil if it is absent or unreadable.
    public func retryAfterSeconds(now: Timestamp) -> Int64? {
        guard let text = header("Retry-After").map({ $0.trimmingBlanks() }), !text.isEmpty else { return nil }
        let seconds: Int64
        if text.utf8.allSatisfy(\.isDecimalDigit) {
            // More digits than fit in 64 bits are still a number of seconds, and a very long one.
            seconds = Int64(text) ?? .max
        } else if let date = HTTPDate.parse(text) {
            seconds = date.seconds(since: now)
        } else {
            return nil
        }
        return min(max(seconds, 0), TransientFailure.longestWait)
    }
}

extension StringProtocol {
    /// Without the spaces and tabs at both ends, as HTTP requires for header values and lists.
    func trimmingBlanks() -> String {
        func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
        guard let first = unicodeScalars.firstIndex(where: { !isBlank($0) }), let last = unicodeScalars.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(self[first..<unicodeScalars.index(after: last)])
    }
}
