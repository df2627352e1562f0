import StrictJSON

extension JSON {
    /// The value over several lines, two spaces a level, for a person's eyes.
    var indentedText: String {
        var text = ""
        indent(into: &text, depth: 0)
        return text
    }

    private func indent(into text: inout String, depth: Int) {
        switch self {
        case .array(let elements) where !elements.isEmpty:
            text += "[\n"
            for (index, element) in elements.enumerated() {
                text += String(repeating: "  ", count: depth + 1)
                element.indent(into: &text, depth: depth + 1)
                text += index < elements.count - 1 ? ",\n" : "\n"
            }
            text += String(repeating: "  ", count: depth) + "]"
        case .object(let object) where !object.isEmpty:
            text += "{\n"
            for (index, member) in object.members.enumerated() {
                text += String(repeating: "  ", count: depth + 1) + JSON.string(member.key).text + ": "
                member.value.indent(into: &text, depth: depth + 1)
                text += index < object.count - 1 ? ",\n" : "\n"
            }
            text += String(repeating: "  ", count: depth) + "}"
        default:
            text += self.text
        }
    }
}
