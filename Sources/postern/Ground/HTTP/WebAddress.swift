import PosternValues

/// The parts of an `http` or `https` address that a redirect needs (RFC 3986).
struct WebAddress: Equatable, Sendable {
    var scheme: String
    /// Without the brackets of an IPv6 address.
    var host: String
    var port: Int
    /// Path and query, as in a request line; begins with a slash.
    var target: String

    init?(_ text: String) {
        let parts = URIParts(text)
        guard let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme), let authority = parts.authority,
            !authority.unicodeScalars.contains("@"), let endpoint = HostAndPort(authority), !endpoint.host.isEmpty
        else { return nil }
        self.scheme = scheme
        host = String(endpoint.host)
        target = (parts.path.isEmpty ? "/" : String(parts.path)) + (parts.query.map { "?\($0)" } ?? "")
        if let port = endpoint.port {
            guard let number = Int(port), (1...65535).contains(number) else { return nil }
            self.port = number
        } else {
            port = scheme == "https" ? 443 : 80
        }
    }

    /// The host as written in an address: IPv6 in brackets.
    var bracketedHost: String { host.unicodeScalars.contains(":") ? "[\(host)]" : host }

    var isLoopback: Bool {
        let parts = host.parts(separator: ".", omittingEmptySubsequences: false)
        return host == "localhost" || host == "::1" || parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Host and port: `[::1]:7678`.
    var authority: String { "\(bracketedHost):\(port)" }

    /// Scheme, host and port.
    var origin: String { "\(scheme)://\(authority)" }

    var path: String { String(target.before { $0 == "?" }) }

    /// A query parameter, decoded; if the name occurs several times, the first counts.
    func parameter(_ name: String) -> String? {
        guard let mark = target.unicodeScalars.firstIndex(of: "?") else { return nil }
        for pair in target.after(mark).parts(separator: "&") {
            let key = pair.before { $0 == "=" }
            if Self.decode(key) == name { return Self.decode(pair[key.endIndex...].rest(after: "=") ?? "") }
        }
        return nil
    }

    /// The target of a `Location` header or of a form's action.
    func resolving(_ reference: String) -> WebAddress? {
        if reference.begins(with: "//") { return WebAddress("\(scheme):\(reference)") }
        if reference.begins(with: "/") { return WebAddress(origin + reference) }
        if let absolute = WebAddress(reference) { return absolute }
        if reference.begins(with: "?") { return WebAddress(origin + path + reference) }
        if reference.isEmpty { return self }
        let directory = path[...(path.unicodeScalars.lastIndex(of: "/") ?? path.startIndex)]
        return WebAddress(origin + directory + reference)
    }

    /// Percent-decoding with `+` for a space; invalid sequences are left unchanged.
    static func decode(_ text: some StringProtocol) -> String {
        String(decoding: PercentEncoding.decode(text.utf8, plusIsSpace: true, keepsStrayPercent: true) ?? [], as: UTF8.self)
    }
}
