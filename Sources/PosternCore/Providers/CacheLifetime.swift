/// How long an answer may be used without asking again (RFC 9111 section 4.2), within bounds of our own.
struct CacheLifetime: Sendable {
    /// In seconds. With less, a provider that forbids caching would be asked at every sign-in; with more, a revoked key would stay in use.
    static let bounds: ClosedRange<Int64> = 300...86_400
    /// If the provider does not say, in seconds.
    static let usual: Int64 = 3600

    let seconds: Int64

    init(of response: ProviderResponse) {
        let directives = Self.directives(response.header("Cache-Control") ?? "")
        if directives["no-store"] != nil || directives["no-cache"] != nil {
            seconds = Self.bounds.lowerBound
        } else if let maximum = directives["max-age"].flatMap({ Self.deltaSeconds($0) }) {
            // A shared cache on the way may have stored it for a while (section 5.1).
            let age = response.header("Age").flatMap { Self.deltaSeconds($0.trimmingBlanks()) } ?? 0
            seconds = min(max(maximum - age, Self.bounds.lowerBound), Self.bounds.upperBound)
        } else {
            seconds = Self.usual
        }
    }

    private static func directives(_ text: String) -> [String: String] {
        var directives: [String: String] = [:]
        for part in text.parts(separator: ",").prefix(32) {
            let equals = part.unicodeScalars.firstIndex(of: "=") ?? part.endIndex
            let name = part[..<equals].trimmingBlanks().lowercased()
            let value = equals < part.endIndex ? part.after(equals).trimmingBlanks() : ""
            directives[name] = directives[name] ?? value.keeping { $0 != "\"" }
        }
        return directives
    }

    /// Section 1.2.2: digits; a number that is too large counts as the largest.
    private static func deltaSeconds(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDecimalDigit) else { return nil }
        return min(Int64(text) ?? .max, 1 << 31)
    }
}
