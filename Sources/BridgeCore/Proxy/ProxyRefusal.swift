/// Why a request is not passed on.
public struct ProxyRefusal: Error, Sendable, Equatable {
    public var status: Int
    /// For the person who runs the program.
    public var message: String
    /// The answer's `Allow`.
    public var allow: String?

    init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }

    static func malformed(_ message: String) -> ProxyRefusal { ProxyRefusal(400, message) }

    /// A forward proxy was expected.
    static let noForwardProxy = ProxyRefusal(
        400,
        "this is not a forward proxy; it serves paths at its own address: give the program that address as its base URL, not as https_proxy"
    )

    /// Says nothing of what would be right: the path is the secret.
    static let unknownPath = ProxyRefusal(404, "there is nothing at this path; the base URL has another one")

    static let wrongHost = ProxyRefusal(421, "the Host field names another server")

    static func elsewhere(_ urls: [String]) -> ProxyRefusal {
        ProxyRefusal(
            404,
            "the account has no URL for this path; it has \(urls.prefix(mostNamed).joined(separator: ", "))"
                + (urls.count > mostNamed ? ", …" : ""))
    }

    private static let mostNamed = 8

    static func method(_ allowed: [String]) -> ProxyRefusal {
        var refusal = ProxyRefusal(405, "this method is not allowed here; only \(allowed.joined(separator: ", ")) (--methods)")
        refusal.allow = allowed.joined(separator: ", ")
        return refusal
    }

    static let page = ProxyRefusal(403, "a web page of another server sent this request; the proxy is only for the command")

    static let upgrade = ProxyRefusal(
        501, "this proxy carries only HTTP: no WebSocket, and no other protocol that a request could upgrade to")
}
