/// The rules for names in an interface description (varlink.org, "Interface Definition").
enum DescriptionNames {
    /// `org.example.service`: at least two parts, none empty, none with a hyphen at either end; the first begins with a letter.
    static func isInterface(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count >= 2, name.utf8.count <= 255, let first = name.utf8.first, isLetter(first) else { return false }
        return parts.allSatisfy { part in
            guard let first = part.first, let last = part.last else { return false }
            return isLetterOrDigit(first) && isLetterOrDigit(last)
                && part.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }

    /// A type, method or error: a capital letter, then letters and digits.
    static func isMember(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first), first & 0x20 == 0 else { return false }
        return name.utf8.allSatisfy(isLetterOrDigit)
    }

    /// A field or a value of an enumeration: letters, digits and single underscores between them.
    static func isField(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first), let last = name.utf8.last, isLetterOrDigit(last) else { return false }
        var previous: UInt8 = 0
        for byte in name.utf8 {
            if byte == UInt8(ascii: "_") {
                if previous == byte { return false }
            } else if !isLetterOrDigit(byte) {
                return false
            }
            previous = byte
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
