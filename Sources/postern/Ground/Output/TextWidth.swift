extension String {
    /// The number of terminal columns of the text: two for a scalar that East Asian fonts draw wide, none for a combining mark.
    ///
    /// `wcwidth` of the C library knows only the characters of the process's locale.
    var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

    /// The text truncated to that many columns; the omitted part becomes one `…`.
    func cut(to columns: Int) -> String {
        guard self.columns > columns else { return self }
        var (result, left) = (UnicodeScalarView(), columns - 1)
        for scalar in unicodeScalars {
            left -= scalar.columns
            guard left >= 0 else { break }
            result.append(scalar)
        }
        return String(result) + "…"
    }
}

extension Unicode.Scalar {
    fileprivate var columns: Int {
        if isASCII { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return Self.wide.contains { $0.contains(value) } ? 2 : 1
        }
    }

    /// The blocks of UAX 11 (East Asian Width) whose scalars are wide or full-width; a narrow one among them counts as wide, which costs a
    /// blank.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD,
    ]
}
