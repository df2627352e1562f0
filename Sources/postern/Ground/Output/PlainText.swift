extension Unicode.Scalar {
    /// Whether it would act on a terminal that should only show it: a control character, or one that changes lines or the writing
    /// direction.
    fileprivate var steersTerminal: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F: true
        // Line and paragraph separators; characters that change the writing direction (Unicode TR 36, section 2.4).
        case 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
        default: false
        }
    }
}

extension String {
    /// The text without characters that act on the terminal or reverse a line: names and sentences come from providers, and an escape
    /// sequence in one must not affect the user's screen.
    var plain: String {
        replacingSteering { _ in "\u{FFFD}" }
    }

    /// A JSON document with such characters in its strings written as `\uXXXX`: the same document, spelled differently.
    ///
    /// Of the control characters only the line feeds between members are kept. Outside its strings JSON has none of these characters, and
    /// within them none below U+0020 (RFC 8259 section 7).
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
