import PosternValues

/// A query or a form (`application/x-www-form-urlencoded`), decoded.
struct FormParameters {
    static let limit = 64

    private var values: [String: String] = [:]
    /// Names that occur more than once, which RFC 6749 section 3.1 forbids for its parameters.
    private(set) var repeated: Set<String> = []

    init() {}

    init?(_ bytes: some Collection<UInt8>) {
        var count = 0
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            count += 1
            guard count <= Self.limit else { return nil }
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            guard let name = Self.decoded(pair[..<(equals ?? pair.endIndex)]),
                let value = equals.map({ Self.decoded(pair[$0...].dropFirst()) }) ?? ""
            else { return nil }
            if values.updateValue(value, forKey: name) != nil { repeated.insert(name) }
        }
    }

    /// Nil if it is missing, empty (RFC 6749 section 3.1), or repeated.
    subscript(name: String) -> String? {
        guard !repeated.contains(name), let value = values[name], !value.isEmpty else { return nil }
        return value
    }

    /// Nil for a stray percent sign, invalid UTF-8, and control characters.
    static func decoded(_ bytes: some Collection<UInt8>) -> String? {
        guard let decoded = PercentEncoding.decode(bytes, plusIsSpace: true), !decoded.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return nil
        }
        return String(validating: decoded, as: UTF8.self)
    }
}
