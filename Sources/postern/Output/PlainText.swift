extension String {
    /// The text without what could steer a terminal or turn a line around: names and sentences come from providers, and an
    /// escape sequence in one must not act on the screen of the person who reads it.
    var plain: String {
        guard unicodeScalars.contains(where: Self.steers) else { return self }
        var result = UnicodeScalarView()
        for scalar in unicodeScalars { result.append(Self.steers(scalar) ? "\u{FFFD}" : scalar) }
        return String(result)
    }

    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F: true
        // Line and paragraph separators; marks that change the direction of writing (Unicode TR 36, section 2.4).
        case 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
        default: false
        }
    }
}
