import TOML

extension TOMLTable {
    /// On one line, members in their order: `{a = 1, b = ["x"]}`.
    var rendered: String { "{\(members.map { "\(TOMLKey.shown($0.key)) = \($0.value.rendered)" }.joined(separator: ", "))}" }
}

extension TOMLValue {
    var rendered: String {
        switch content {
        case .string(let text): Self.quoted(text)
        case .integer(let value): "\(value)"
        case .float(let value): "float \(value)"
        case .boolean(let value): "\(value)"
        case .dateTime(let value): "\(value.kind) \(value.text)"
        case .array(let elements): "[\(elements.map(\.rendered).joined(separator: ", "))]"
        case .table(let table): table.rendered
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\"", "\\": result += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
