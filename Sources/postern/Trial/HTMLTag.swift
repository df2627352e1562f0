/// A tag of an HTML page; an end tag has a slash before its name.
struct HTMLTag: Equatable {
    var name: String
    var attributes: [String: String] = [:]

    /// All tags in order. Text, comments and malformed parts are skipped.
    static func all(in page: String) -> [HTMLTag] {
        var tags: [HTMLTag] = []
        var rest = Substring(page)
        while let open = rest.unicodeScalars.firstIndex(of: "<") {
            rest = rest.after(open)
            if let tag = read(from: &rest) { tags.append(tag) }
        }
        return tags
    }

    /// The text after a `<`, up to and including its `>`.
    private static func read(from rest: inout Substring) -> HTMLTag? {
        let name = rest.before { $0.properties.isWhitespace || $0 == ">" }
        guard let first = name.unicodeScalars.first, first.properties.isAlphabetic || first == "/" else { return nil }
        rest = rest[name.endIndex...]
        var tag = HTMLTag(name: name.lowercased())
        while true {
            rest = rest.skipping { $0.properties.isWhitespace || $0 == "/" }
            guard let next = rest.unicodeScalars.first else { return nil }
            if next == ">" {
                rest = rest.after(rest.startIndex)
                return tag
            }
            let key = rest.before { $0.properties.isWhitespace || $0 == "=" || $0 == ">" || $0 == "/" }
            rest = rest[key.endIndex...].skipping(\.properties.isWhitespace)
            var value = ""
            if let assigned = rest.rest(after: "=") {
                rest = assigned.skipping(\.properties.isWhitespace)
                value = readValue(from: &rest)
            } else if key.isEmpty {
                return nil
            }
            tag.attributes[key.lowercased()] = unescape(value)
        }
    }

    private static func readValue(from rest: inout Substring) -> String {
        if let quote = rest.unicodeScalars.first, quote == "\"" || quote == "'" {
            let value = rest.after(rest.startIndex).before { $0 == quote }
            rest = value.endIndex < rest.endIndex ? rest.after(value.endIndex) : ""
            return String(value)
        }
        let value = rest.before { $0.properties.isWhitespace || $0 == ">" }
        rest = rest[value.endIndex...]
        return String(value)
    }

    /// The character references that a well-made page uses in attributes.
    private static func unescape(_ text: String) -> String {
        let names = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        var result = ""
        var rest = Substring(text)
        while let mark = rest.unicodeScalars.firstIndex(of: "&") {
            result += rest[..<mark]
            let name = rest.after(mark).before { $0 == ";" || $0 == "&" }
            if rest[name.endIndex...].begins(with: ";"), let character = names[String(name)] ?? numbered(name) {
                result += character
                rest = rest.after(name.endIndex)
            } else {
                result += "&"
                rest = rest.after(mark)
            }
        }
        return result + rest
    }

    private static func numbered(_ name: Substring) -> String? {
        guard let digits = name.rest(after: "#") else { return nil }
        let code = (digits.rest(after: "x") ?? digits.rest(after: "X")).map { UInt32($0, radix: 16) } ?? UInt32(digits)
        return code.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }
}
