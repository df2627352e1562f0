/// Reading `application/x-www-form-urlencoded` (RFC 6749 appendix B), for the providers that answer so.
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
