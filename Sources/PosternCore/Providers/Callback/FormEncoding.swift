/// Decodes `application/x-www-form-urlencoded` (RFC 6749 appendix B).
enum FormEncoding {
    /// With more it is not an answer of any provider; they send less than a dozen.
    static let mostPairs = 64

    /// The members by their names, of which none may be repeated (RFC 6749 section 3.1).
    ///
    /// - Parameter sentences: the names of those that may contain control characters.
    static func pairs(
        _ bytes: some Collection<UInt8>, sentences: Set<String> = []
    ) throws(CallbackParseError) -> [String: String] {
        var pairs: [String: String] = [:]
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            let nameEnd = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let name = try decode(pair[..<nameEnd])
            let value = try decode(pair[nameEnd...].dropFirst(), allowingControlCharacters: sentences.contains(name))
            guard pairs.count < mostPairs else { throw .tooManyParameters(limit: mostPairs) }
            guard pairs.updateValue(value, forKey: name) == nil else { throw .repeatedParameter }
        }
        return pairs
    }

    /// Decodes one name or value: `+` is a space, `%XX` a byte, and the bytes are UTF-8.
    ///
    /// - Parameter allowingControlCharacters: only of what is cleaned before it is shown.
    static func decode(
        _ bytes: some Collection<UInt8>, allowingControlCharacters: Bool = false
    ) throws(CallbackParseError) -> String {
        guard let decoded = PercentEncoding.decode(bytes, plusIsSpace: true) else { throw .invalidPercentEncoding }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .invalidUTF8 }
        guard allowingControlCharacters || !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .controlCharacter
        }
        return text
    }
}
