/// A piece of HTML. Literals are used as written; every interpolated text is escaped, so that no page can forget to.
struct HTML: Sendable, Hashable {
    private(set) var text = ""

    static let empty = HTML()

    private init() {}

    /// For the constants of this module: a style sheet, a script.
    init(trusted text: StaticString) { self.text = text.withUTF8Buffer { String(decoding: $0, as: UTF8.self) } }

    static func += (left: inout HTML, right: HTML) { left.text += right.text }

    fileprivate static func escaped(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension HTML: ExpressibleByStringInterpolation {
    init(stringLiteral value: String) { text = value }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ html: HTML) { text += html.text }

        mutating func appendInterpolation(_ text: String) { self.text += HTML.escaped(text) }

        mutating func appendInterpolation(_ number: Int) { text += String(number) }

        /// Its reading direction is isolated too: a Hebrew name must not change the direction of the sentence around it.
        mutating func appendInterpolation(_ outside: OutsideText) { text += "<bdi>" + HTML.escaped(outside.text) + "</bdi>" }
    }
}
