import PosternValues

extension BridgeAnswer {
    /// Without what authorized the request, which a server may repeat: as it was sent, or percent-encoded. A field with it in its name is
    /// dropped.
    ///
    /// Only the whole of a secret counts. Tokens of one kind begin alike, and a session's identifier may be one, too.
    ///
    /// - Parameter authorization: the fields that authorized the request.
    public func striking(_ authorization: [(name: String, value: String)]) -> BridgeAnswer {
        let secrets = authorization.map { field in
            // Behind the scheme.
            let space = field.name.lowercased() == "authorization" ? field.value.unicodeScalars.firstIndex(of: " ") : nil
            return space.map { String(field.value.after($0)) } ?? field.value
        }
        var struck = self
        // Names may have been put in lower case.
        struck.headers.removeAll { field in
            let name = field.name.lowercased()
            return secrets.contains { $0.utf8.count <= name.utf8.count && Self.range(of: $0.lowercased(), in: name[...]) != nil }
        }
        for index in struck.headers.indices {
            for secret in secrets { struck.headers[index].value = Self.removing(secret, from: struck.headers[index].value) }
        }
        return struck
    }

    private static func removing(_ secret: String, from text: String) -> String {
        var (kept, rest) = ("", text[...])
        while let range = range(of: secret, in: rest) {
            kept += rest[..<range.lowerBound] + "removed"
            rest = rest[range.upperBound...]
        }
        return kept + rest
    }

    /// In bytes. Shorter texts would be found in ordinary words.
    private static let shortestSecret = 8

    private static func range(of secret: String, in text: Substring) -> Range<String.Index>? {
        var rest = text.utf8
        // No form of the secret is shorter than it.
        while !rest.isEmpty, rest.count >= secret.utf8.count {
            if let end = end(of: secret.utf8, in: rest), rest[..<end].count >= shortestSecret { return rest.startIndex..<end }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// Where a secret ends that begins the text, if it does: each byte as it is or as an escape, in either case.
    private static func end(of secret: String.UTF8View, in text: Substring.UTF8View) -> String.Index? {
        if text.starts(with: secret) { return text.index(text.startIndex, offsetBy: secret.count) }
        var rest = text
        for byte in secret {
            let isEscaped = rest.first == UInt8(ascii: "%") && PercentEncoding.decode(rest.prefix(3)) == [byte]
            guard isEscaped || rest.first == byte else { return nil }
            rest = rest.dropFirst(isEscaped ? 3 : 1)
        }
        return rest.startIndex
    }
}
