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
        guard let user = PercentEncoding.decode(parts[0].utf8),
            let password = PercentEncoding.decode((parts.count > 1 ? parts[1] : "").utf8), !user.contains(UInt8(ascii: ":"))
        else { throw ProxyProblem(description: "has a user or password that is not percent-encoded") }
        return Secret("Basic " + Base64.encode(user + [UInt8(ascii: ":")] + password))
    }
}

/// Continues after the name of the setting; never contains its value, which may include a password.
struct ProxyProblem: Error, CustomStringConvertible {
    var description: String
}
