/// Shows a key in an error message.
public enum TOMLKey {
    /// Longer keys are truncated: one could be the whole file.
    static let longestShown = 64

    public static func isBareCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// In the notation of a file; on one line and without control characters, whatever the key is.
    public static func shown(_ key: String) -> String {
        if !key.isEmpty, key.utf8.count <= longestShown, key.utf8.allSatisfy(isBareCharacter) { return key }
        var text = "\""
        for (index, scalar) in key.unicodeScalars.enumerated() {
            if index == longestShown {
                text += "…"
                break
            }
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case _ where isPlain(scalar): text.unicodeScalars.append(scalar)
            default: text += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return text + "\""
    }

    /// Whether it is shown unchanged and does not affect the rest of the line: no control character, no change of the writing direction.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
        default: true
        }
    }
}
