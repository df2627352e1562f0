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
        guard let decoded = PercentEncoding.decode(bytes, plusIsSpace: true) else { throw .invalidPercentEncoding }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .invalidUTF8 }
        switch controlCharacters {
        case .allowed: return text
        case .refused:
            guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { throw .controlCharacter }
            return text
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
