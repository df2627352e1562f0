/// What an address of a provider may look like.
enum EndpointURL {
    /// Completes a sentence that began with the key; nil where the URL is good.
    static func objection(to text: String, mayHaveQuery: Bool = true) -> String? {
        let secure = text.hasPrefix("https://")
        guard secure || text.hasPrefix("http://") else { return "must be a URL that begins with https://" }
        guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !Self.neverInURLs.contains($0) }) else {
            return "must be a URL; percent-encode its special characters"
        }
        let rest = text.dropFirst(secure ? 8 : 7)
        let authority = rest.prefix { !"/?#".contains($0) }
        guard !authority.contains("@") else { return "must not hold a user name or password" }
        guard let host = host(of: authority) else { return "must be a URL with a host and, if any, a port from 1 to 65535" }
        guard secure || isLoopback(host) else { return "must begin with https://; plain http is for loopback addresses only" }
        guard !rest.contains("#") else { return "must not have a fragment" }
        guard mayHaveQuery || !rest.contains("?") else { return "must not have a query" }
        return nil
    }

    private static let neverInURLs = Set("\"<>\\^`{|}".utf8)

    /// The host without its port, in brackets where it is an IPv6 address; nil where it is malformed.
    private static func host(of authority: Substring) -> String? {
        var host = authority
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[...end]
            let address = host.dropFirst().dropLast()
            guard !address.isEmpty, address.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return nil }
        } else {
            host = authority.prefix { $0 != ":" }
            guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy(isHostCharacter) else { return nil }
        }
        let port = authority.dropFirst(host.count)
        guard port.isEmpty || (port.hasPrefix(":") && UInt16(port.dropFirst()).map { $0 > 0 } ?? false) else { return nil }
        return host.lowercased()
    }

    private static func isHostCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "[::1]" || LoopbackAddress.isIPv4Loopback(host)
    }
}
