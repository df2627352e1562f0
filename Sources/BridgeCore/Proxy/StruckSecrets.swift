import PosternValues

extension BridgeAnswer {
    /// Without what authorized the request, which a server may repeat: as it was sent, or as it stands in a URL.
    ///
    /// Only the whole of a secret counts. Tokens of one kind begin alike, and a session's identifier may be one, too.
    ///
    /// - Parameter authorization: the fields that authorized the request.
    public func striking(_ authorization: [(name: String, value: String)]) -> BridgeAnswer {
        let secrets = authorization.flatMap { field -> [String] in
            // Behind the scheme.
            let space = field.name.lowercased() == "authorization" ? field.value.unicodeScalars.firstIndex(of: " ") : nil
            let secret = space.map { String(field.value.after($0)) } ?? field.value
            return [secret, PercentEncoding.encode(secret)].filter { $0.utf8.count >= Self.shortestSecret }
        }
        var struck = self
        for index in headers.indices {
            for secret in secrets where struck.headers[index].value.holds(secret) {
                struck.headers[index].value = Self.removing(secret, from: struck.headers[index].value)
            }
        }
        return struck
    }

    /// In bytes. Shorter texts would be found in ordinary words.
    private static let shortestSecret = 8

    private static func removing(_ secret: String, from text: String) -> String {
        var (kept, rest) = ("", text[...])
        while let range = rest.range(ofText: secret) {
            kept += rest[..<range.lowerBound] + "removed"
            rest = rest[range.upperBound...]
        }
        return kept + rest
    }
}
