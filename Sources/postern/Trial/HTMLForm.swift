import PosternValues

/// The first form of a page, parsed as far as a page without scripts requires.
struct HTMLForm: Equatable {
    enum Kind {
        case value
        /// One of those with the same name is chosen.
        case radio
        /// One of all buttons is pressed.
        case button
    }

    struct Field: Equatable {
        var name: String
        var value: String
        var kind: Kind
    }

    var action: String
    var method: String
    var fields: [Field] = []

    init?(page: String) {
        var isInside = false
        action = ""
        method = "GET"
        for tag in HTMLTag.all(in: page) {
            switch tag.name {
            case "form" where !isInside:
                isInside = true
                action = tag.attributes["action"] ?? ""
                method = (tag.attributes["method"] ?? "get").uppercased()
            case "/form" where isInside:
                return
            case "input" where isInside, "button" where isInside:
                guard let name = tag.attributes["name"], !name.isEmpty else { continue }
                let type = tag.attributes["type"]?.lowercased()
                let kind: Kind = tag.name == "button" || type == "submit" ? .button : type == "radio" ? .radio : .value
                fields.append(Field(name: name, value: tag.attributes["value"] ?? "", kind: kind))
            default:
                continue
            }
        }
        if !isInside { return nil }
    }

    /// The form as completed by a user who makes the first choice everywhere and presses the first button,
    /// `application/x-www-form-urlencoded`.
    var firstChoices: [UInt8] {
        var chosen: Set<String> = []
        var hasPressed = false
        var pairs: [String] = []
        for field in fields {
            switch field.kind {
            case .value: break
            case .radio: guard chosen.insert(field.name).inserted else { continue }
            case .button:
                guard !hasPressed else { continue }
                hasPressed = true
            }
            pairs.append(PercentEncoding.encode(field.name) + "=" + PercentEncoding.encode(field.value))
        }
        return Array(pairs.joined(separator: "&").utf8)
    }
}
