import PosternValues

/// The fields of a message that end at this proxy. Names are in lower case.
enum ProxyFields {
    typealias Field = (name: String, value: String)

    private static let ofRequest: Set<String> = [
        // What authorizes: the daemon's alone is sent.
        "authorization", "proxy-authorization", "dpop", "cookie", "private-token", "x-api-key",
        // The request to the server has its own.
        "host", "content-length", "expect",
        // They would tell the server how the request came to this proxy, and servers make links of them: to this machine.
        "forwarded",
        // Some servers take another method or path from them, past what is allowed here.
        "x-http-method-override", "x-http-method", "x-method-override", "x-original-url", "x-rewrite-url",
    ]

    private static let ofAnswer: Set<String> = [
        // Cookies sign in as well as a token, and are not sent back.
        "set-cookie", "set-cookie2",
        // The proof of possession is the daemon's.
        "dpop-nonce",
        // Other ways to the server, past this proxy.
        "alt-svc",
    ]

    static func keptOfRequest(_ fields: [Field]) -> [Field] {
        HopByHopFields.drop(from: fields).filter { field in
            // Servers that put fields into variables, as CGI does, take one character for the other.
            let bytes = field.name.lowercased().utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
            let name = String(decoding: bytes, as: UTF8.self)
            return !ofRequest.contains(name) && !name.begins(with: "x-forwarded-")
        }
    }

    static func keptOfAnswer(_ fields: [Field]) -> [Field] {
        HopByHopFields.drop(from: fields).filter { !ofAnswer.contains($0.name.lowercased()) }
    }

    /// Whether a browser sends a request for a page of another server (Fetch Metadata), which may have learned the address.
    static func areOfPage(_ fields: [Field]) -> Bool {
        fields.contains { $0.name.isEqualIgnoringCase("sec-fetch-site") && ["cross-site", "same-site"].contains($0.value) }
    }

    /// Whether a request wants to change to another protocol. Clients in Java offer HTTP/2 with each request, and continue without.
    static func wantUpgrade(_ fields: [Field]) -> Bool {
        fields.contains { $0.name.isEqualIgnoringCase("upgrade") && HopByHopFields.items(of: $0.value).contains { $0 != "h2c" } }
    }
}
