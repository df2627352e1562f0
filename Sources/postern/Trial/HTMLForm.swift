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
            pairs.append(Self.encode(field.name) + "=" + Self.encode(field.value))
        }
        return Array(pairs.joined(separator: "&").utf8)
    }

    private static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
