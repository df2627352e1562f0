/// A query or a form (`application/x-www-form-urlencoded`), decoded.
struct FormParameters {
    enum Failure: Error {
        case malformed, tooMany
    }

    static let limit = 64

    private var values: [String: String] = [:]
    /// Names that occur more than once, which RFC 6749 section 3.1 forbids for its parameters.
    private(set) var repeated: Set<String> = []

    init() {}

    init(_ bytes: some Collection<UInt8>) throws(Failure) {
        var count = 0
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            count += 1
            guard count <= Self.limit else { throw .tooMany }
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            guard let name = Self.decoded(pair[..<(equals ?? pair.endIndex)]),
                let value = equals.map({ Self.decoded(pair[$0...].dropFirst()) }) ?? ""
            else { throw .malformed }
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
        var decoded: [UInt8] = []
        var rest = Array(bytes)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(0x20)
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
                decoded.append(high << 4 | low)
            default: decoded.append(byte)
            }
        }
        guard !decoded.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }

    /// Percent-encodes all but the unreserved characters (RFC 3986 section 2.3).
    static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
        return result
    }
}
