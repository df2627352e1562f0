extension Unicode.Scalar {
    /// Acts on a terminal where it should only be shown: a control, or a mark that turns lines or the direction of writing around.
    fileprivate var steersTerminal: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F: true
        // Line and paragraph separators; marks that change the direction of writing (Unicode TR 36, section 2.4).
        case 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
        default: false
        }
    }
}

extension String {
    /// The text without what could steer a terminal or turn a line around: names and sentences come from providers, and an
    /// escape sequence in one must not act on the screen of the user who reads it.
    var plain: String {
        replacingSteering { _ in "\u{FFFD}" }
    }

    /// A JSON document whose strings show what could steer a terminal as `\uXXXX`: another spelling of the same document.
    ///
    /// Of the controls only the line feeds between members stay. JSON itself has none of the characters outside its strings, and within them none
    /// below U+0020 (RFC 8259 section 7).
    var plainJSON: String {
        replacingSteering { scalar in
            guard scalar != "\n" else { return "\n" }
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    private func replacingSteering(with replacement: (Unicode.Scalar) -> String) -> String {
        guard unicodeScalars.contains(where: \.steersTerminal) else { return self }
        var result = UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.steersTerminal { result.append(contentsOf: replacement(scalar).unicodeScalars) } else { result.append(scalar) }
        }
        return String(result)
    }
}
