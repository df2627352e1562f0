/// The parts of a URI (RFC 3986 appendix B), as they were written. Nothing in them is checked.
package struct URIParts {
    /// Without the colon.
    package let scheme: Substring?
    /// Without the two slashes; nil if there are none.
    package let authority: Substring?
    /// Empty, or from the first slash on if there is an authority.
    package let path: Substring
    /// Without the question mark.
    package let query: Substring?
    /// Without the number sign.
    package let fragment: Substring?

    package init(_ text: some StringProtocol) {
        var rest = Substring(text)
        fragment = Self.cut(from: &rest, at: UInt8(ascii: "#"))
        query = Self.cut(from: &rest, at: UInt8(ascii: "?"))
        // A colon after a slash is part of the path.
        if let end = rest.utf8.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }), end > rest.startIndex,
            rest.utf8[end] == UInt8(ascii: ":")
        {
            scheme = rest[..<end]
            rest = rest[rest.utf8.index(after: end)...]
        } else {
            scheme = nil
        }
        if let afterSlashes = rest.rest(after: "//") {
            authority = afterSlashes[..<(afterSlashes.utf8.firstIndex(of: UInt8(ascii: "/")) ?? afterSlashes.endIndex)]
            rest = afterSlashes[(authority ?? "").endIndex...]
        } else {
            authority = nil
        }
        path = rest
    }

    /// What precedes the sign stays; what follows it is returned, nil if it does not occur.
    private static func cut(from text: inout Substring, at sign: UInt8) -> Substring? {
        guard let place = text.utf8.firstIndex(of: sign) else { return nil }
        defer { text = text[..<place] }
        return text[text.utf8.index(after: place)...]
    }
}

/// The two parts of an authority without a user name, as they were written: `git.example.org:8443`, `[::1]`. Nothing in them is checked.
package struct HostAndPort {
    /// Without brackets.
    package let host: Substring
    package let isBracketed: Bool
    /// What follows the colon; nil if there is none.
    package let port: Substring?

    /// Nil if a bracket is not closed, or if something else than a port follows it.
    package init?(_ authority: Substring) {
        let end: Substring.Index
        if let inner = authority.rest(after: "[") {
            guard let bracket = inner.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            (host, isBracketed, end) = (inner[..<bracket], true, inner.utf8.index(after: bracket))
        } else {
            let colon = authority.utf8.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
            (host, isBracketed, end) = (authority[..<colon], false, colon)
        }
        let rest = authority[end...]
        port = rest.rest(after: ":")
        guard rest.isEmpty || port != nil else { return nil }
    }
}
