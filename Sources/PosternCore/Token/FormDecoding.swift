/// Reading `application/x-www-form-urlencoded` (RFC 6749 appendix B), for the providers that answer so.
enum FormDecoding {
    enum Failure: Error, Hashable {
        case tooManyPairs
        case invalidEscape
        case invalidUTF8
        /// RFC 6749 section 3.1: no parameter twice.
        case repeatedName
    }

    static let mostPairs = 64

    static func pairs(_ bytes: [UInt8]) throws(Failure) -> [String: String] {
        var pairs: [String: String] = [:]
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            guard pairs.count < mostPairs else { throw .tooManyPairs }
            let nameEnd = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let name = try decode(part[..<nameEnd])
            let value = nameEnd < part.endIndex ? try decode(part[(nameEnd + 1)...]) : ""
            guard pairs.updateValue(value, forKey: name) == nil else { throw .repeatedName }
        }
        return pairs
    }

    /// For comparing a name only: what is no escape stays as it is.
    static func decodeLeniently(_ text: some StringProtocol) -> String {
        (try? decode(ArraySlice(Array(text.utf8)))) ?? String(text)
    }

    private static func decode(_ bytes: ArraySlice<UInt8>) throws(Failure) -> String {
        var decoded: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard index + 2 < bytes.endIndex, let high = hexadecimalValue(bytes[index + 1]),
                    let low = hexadecimalValue(bytes[index + 2])
                else { throw .invalidEscape }
                decoded.append(high << 4 | low)
                index += 2
            default: decoded.append(bytes[index])
            }
            index += 1
        }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .invalidUTF8 }
        return text
    }

    private static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
