/// A tag of an HTML page; an end tag has a slash before its name.
struct HTMLTag: Equatable {
    var name: String
    var attributes: [String: String] = [:]

    /// All tags in order. Text, comments and malformed parts are skipped.
    static func all(in page: String) -> [HTMLTag] {
        var tags: [HTMLTag] = []
        var rest = Substring(page)
        while let open = rest.firstIndex(of: "<") {
            rest = rest[open...].dropFirst()
            if let tag = read(from: &rest) { tags.append(tag) }
        }
        return tags
    }

    /// The text after a `<`, up to and including its `>`.
    private static func read(from rest: inout Substring) -> HTMLTag? {
        let name = rest.prefix { !$0.isWhitespace && $0 != ">" }
        guard let first = name.first, first.isLetter || first == "/" else { return nil }
        rest = rest[name.endIndex...]
        var tag = HTMLTag(name: name.lowercased())
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "/" }
            guard let next = rest.first else { return nil }
            if next == ">" {
                rest = rest.dropFirst()
                return tag
            }
            let key = rest.prefix { !$0.isWhitespace && $0 != "=" && $0 != ">" && $0 != "/" }
            rest = rest[key.endIndex...].drop { $0.isWhitespace }
            var value = ""
            if rest.first == "=" {
                rest = rest.dropFirst().drop { $0.isWhitespace }
                value = readValue(from: &rest)
            } else if key.isEmpty {
                return nil
            }
            tag.attributes[key.lowercased()] = unescape(value)
        }
    }

    private static func readValue(from rest: inout Substring) -> String {
        if let quote = rest.first, quote == "\"" || quote == "'" {
            let value = rest.dropFirst().prefix { $0 != quote }
            rest = rest[value.endIndex...].dropFirst()
            return String(value)
        }
        let value = rest.prefix { !$0.isWhitespace && $0 != ">" }
        rest = rest[value.endIndex...]
        return String(value)
    }

    /// The character references that a well-made page uses in attributes.
    private static func unescape(_ text: String) -> String {
        let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        var result = ""
        var rest = Substring(text)
        while let mark = rest.firstIndex(of: "&") {
            result += rest[..<mark]
            let name = rest[mark...].dropFirst().prefix { $0 != ";" && $0 != "&" }
            if name.endIndex < rest.endIndex, rest[name.endIndex] == ";", let character = names[String(name)] ?? numbered(name) {
                result += character
                rest = rest[name.endIndex...].dropFirst()
            } else {
                result += "&"
                rest = rest[mark...].dropFirst()
            }
        }
        return result + rest
    }

    private static func numbered(_ name: Substring) -> String? {
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let code = digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return code.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }
}
