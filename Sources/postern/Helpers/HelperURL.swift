/// A URL composed of separate parts. The daemon decides which account a URL belongs to; here no part may extend into the next.
enum HelperURL {
    /// A name or an address, and optionally a port: `git.example.org:8443`, `[::1]:8080`.
    static func isHost(_ text: String) -> Bool {
        var name = text.utf8[...]
        if let first = name.first, first == UInt8(ascii: "[") {
            guard let end = name.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let address = name[name.index(after: name.startIndex)..<end]
            guard !address.isEmpty, address.allSatisfy({ isHexadecimal($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }) else {
                return false
            }
            name = name[name.index(after: end)...]
            return name.isEmpty || isPort(name)
        }
        if let colon = name.firstIndex(of: UInt8(ascii: ":")) {
            guard isPort(name[colon...]) else { return false }
            name = name[..<colon]
        }
        return (1...253).contains(name.count)
            && name.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    }

    /// This machine by its loopback address, or by the one name that RFC 6761 reserves for it.
    ///
    /// - Parameter host: with or without a port.
    static func isLoopback(host: String) -> Bool {
        if host.begins(with: "[") { return host.begins(with: "[::1]") }
        let name = host.before { $0 == ":" }
        if name == "localhost" { return true }
        let numbers = name.parts(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    /// A path that was received decoded, without its leading slash. Nil if a segment is `.` or `..`.
    static func encoded(path: String) -> String? {
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var result = ""
        for (index, segment) in segments.enumerated() {
            guard !segment.elementsEqual(".".utf8), !segment.elementsEqual("..".utf8) else { return nil }
            if index > 0 { result += "/" }
            for byte in segment {
                if isLetter(byte) || isDigit(byte) || Self.plain.contains(byte) {
                    result.unicodeScalars.append(Unicode.Scalar(byte))
                } else {
                    let digits = String(byte, radix: 16, uppercase: true)
                    result += "%" + (digits.count == 1 ? "0" : "") + digits
                }
            }
        }
        return result
    }

    /// `pchar` of RFC 3986, section 3.3, without letters and digits.
    private static let plain = Set("-._~!$&'()*+,;=:@".utf8)

    private static func isPort(_ text: Substring.UTF8View.SubSequence) -> Bool {
        let digits = text.dropFirst()
        return text.first == UInt8(ascii: ":") && (1...5).contains(digits.count) && digits.allSatisfy(isDigit)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    private static func isHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte | 0x20 }
}
