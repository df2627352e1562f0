import StrictJSON

/// Seconds since 1970 as a JSON number, fractions allowed (RFC 7519 section 2).
enum NumericDate {
    /// Nil for what is no number. Any number gives a moment, the far ones clamped to the years that a ``Timestamp`` holds.
    static func read(_ json: JSON) -> Timestamp? {
        switch json {
        case .integer(let seconds): Timestamp(seconds: seconds)
        // Within ±2^62 before the conversion, which would trap outside 64 bits.
        case .decimal: json.doubleValue.map { Timestamp(seconds: Int64(min(max($0, -4e18), 4e18).rounded(.down))) }
        default: nil
        }
    }
}

extension JSONObject {
    /// A moment, or nil where the member is missing or null.
    func numericDate(_ key: String) throws(JSONMemberError) -> Timestamp? {
        guard let json = self[key], json != .null else { return nil }
        guard let moment = NumericDate.read(json) else {
            throw JSONMemberError(path: key, reason: .wrongType(expected: "a number", found: json.typeName))
        }
        return moment
    }

    func requiredNumericDate(_ key: String) throws(JSONMemberError) -> Timestamp {
        guard let moment = try numericDate(key) else { throw JSONMemberError(path: key, reason: .missing) }
        return moment
    }
}
