import PosternCore

/// An HTTP proxy: its address and, if it requires them, our credentials.
struct ProxyEndpoint: Sendable {
    let host: String
    let port: Int
    /// The value of `Proxy-Authorization`, a secret.
    let authorization: Secret?

    /// - Parameter text: `http://[USER[:PASSWORD]@]HOST[:PORT]`, in which `http://` may be missing. As curl, Python and Go do.
    init(_ text: String) throws(ProxyProblem) {
        let (scheme, rest) = Self.split(text)
        guard scheme == "http" else { throw ProxyProblem(description: "is not an http:// proxy, the only kind that can be used") }
        let authority = rest.before { $0 == "/" || $0 == "?" || $0 == "#" }
        guard rest[authority.endIndex...].unicodeScalars.allSatisfy({ $0 == "/" }) else {
            throw ProxyProblem(description: "has more than a host and a port")
        }
        let hostStart =
            authority.unicodeScalars.lastIndex(of: "@").map { authority.unicodeScalars.index(after: $0) } ?? authority.startIndex
        // The endpoints' own parser validates the host and the port.
        guard let url = try? EndpointURL("https://\(authority[hostStart...])") else {
            throw ProxyProblem(description: "has no valid host and port")
        }
        host = url.host
        port = url.explicitPort.map(Int.init) ?? 80
        authorization =
            hostStart == authority.startIndex ? nil : try Self.basic(authority[..<authority.unicodeScalars.index(before: hostStart)])
    }

    private static func split(_ text: String) -> (scheme: String, rest: Substring) {
        guard let colon = text.unicodeScalars.firstIndex(of: ":"), let rest = text[colon...].rest(after: "://") else {
            return ("http", text[...])
        }
        return (text[..<colon].lowercased(), rest)
    }

    /// RFC 7617. User and password are percent-encoded in the URL, but not in the header.
    private static func basic(_ userInformation: Substring) throws(ProxyProblem) -> Secret {
        let parts = userInformation.parts(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = decoded(parts[0]), let password = decoded(parts.count > 1 ? parts[1] : ""), !user.contains(UInt8(ascii: ":"))
        else { throw ProxyProblem(description: "has a user or password that is not percent-encoded") }
        return Secret("Basic " + base64(user + [UInt8(ascii: ":")] + password))
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let text = Base64URL.encode(bytes).mapping { $0 == "-" ? "+" : $0 == "_" ? "/" : String($0) }
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }

    private static func decoded(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexadecimal), let low = rest.popFirst().flatMap(hexadecimal) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}

/// Continues after the name of the setting; never contains its value, which may include a password.
struct ProxyProblem: Error, CustomStringConvertible {
    var description: String
}
