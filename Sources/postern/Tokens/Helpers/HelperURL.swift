import PosternValues

/// A URL composed of separate parts. The daemon decides which account a URL belongs to; here no part may extend into the next.
enum HelperURL {
    /// A name or an address, and optionally a port: `git.example.org:8443`, `[::1]:8080`.
    static func isHost(_ text: String) -> Bool {
        guard let parts = HostAndPort(text[...]), parts.port.map(isPort) ?? true, !parts.host.isEmpty else { return false }
        let host = parts.host.utf8
        if parts.isBracketed { return host.allSatisfy { $0.isHexadecimalDigit || ":.".utf8.contains($0) } }
        return host.count <= 253 && host.allSatisfy { $0.isASCIILetter || $0.isDecimalDigit || "-.".utf8.contains($0) }
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
        guard !segments.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) else { return nil }
        return segments.map { PercentEncoding.encode($0) { $0.isUnreserved || plain.contains($0) } }.joined(separator: "/")
    }

    /// `pchar` of RFC 3986, section 3.3, without unreserved characters.
    private static let plain = Set("!$&'()*+,;=:@".utf8)

    private static func isPort(_ text: Substring) -> Bool { (1...5).contains(text.utf8.count) && text.utf8.allSatisfy(\.isDecimalDigit) }
}
