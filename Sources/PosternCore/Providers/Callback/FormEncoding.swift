/// Decodes `application/x-www-form-urlencoded`.
enum FormEncoding {
    enum ControlCharacters {
        case allowed, refused
    }

    /// Decodes one name or value: `+` is a space, `%XX` a byte, and the bytes are UTF-8.
    ///
    /// - Parameter controlCharacters: whether the text may contain them; only what is cleaned before it is shown may.
    static func decode(
        _ bytes: some Collection<UInt8>, controlCharacters: ControlCharacters = .refused
    ) throws(CallbackParseError) -> String {
        guard let text = String(validating: try decodedBytes(bytes), as: UTF8.self) else { throw .invalidUTF8 }
        switch controlCharacters {
        case .allowed: return text
        case .refused:
            guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { throw .controlCharacter }
            return text
        }
    }

    /// The decoded bytes, whatever they are.
    static func decodedBytes(_ bytes: some Collection<UInt8>) throws(CallbackParseError) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index != bytes.endIndex {
            let byte = bytes[index]
            bytes.formIndex(after: &index)
            switch byte {
            case UInt8(ascii: "+"):
                decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = hexadecimalDigit(bytes, &index), let low = hexadecimalDigit(bytes, &index) else {
                    throw .invalidPercentEncoding
                }
                decoded.append(high << 4 | low)
            default:
                decoded.append(byte)
            }
        }
        return decoded
    }

    private static func hexadecimalDigit<Bytes: Collection<UInt8>>(_ bytes: Bytes, _ index: inout Bytes.Index) -> UInt8? {
        guard index != bytes.endIndex else { return nil }
        defer { bytes.formIndex(after: &index) }
        switch bytes[index] {
        case let digit where digit >= UInt8(ascii: "0") && digit <= UInt8(ascii: "9"): return digit - UInt8(ascii: "0")
        case let digit where digit >= UInt8(ascii: "a") && digit <= UInt8(ascii: "f"): return digit - UInt8(ascii: "a") + 10
        case let digit where digit >= UInt8(ascii: "A") && digit <= UInt8(ascii: "F"): return digit - UInt8(ascii: "A") + 10
        default: return nil
        }
    }
}

/// Parses `application/x-www-form-urlencoded` (RFC 6749 appendix B), for providers that answer in it.
enum FormDecoding {
    enum Failure: Error, Hashable {
        case tooManyPairs
        case invalidText(CallbackParseError)
        /// RFC 6749 section 3.1: no parameter twice.
        case repeatedName
    }

    static let mostPairs = 64

    static func pairs(_ bytes: [UInt8]) throws(Failure) -> [String: String] {
        var pairs: [String: String] = [:]
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            guard pairs.count < mostPairs else { throw .tooManyPairs }
            let nameEnd = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let name: String
            let value: String
            do throws(CallbackParseError) {
                name = try FormEncoding.decode(part[..<nameEnd])
                value = try FormEncoding.decode(part[nameEnd...].dropFirst())
            } catch {
                throw .invalidText(error)
            }
            guard pairs.updateValue(value, forKey: name) == nil else { throw .repeatedName }
        }
        return pairs
    }
}
