/// The text that an OAuth 1.0a signature covers (RFC 5849 section 3.4.1).
struct SignatureBaseString {
    let text: String

    /// - Parameters:
    ///   - url: absolute, as sent.
    ///   - form: the body if it is a form; other bodies are not signed (section 3.4.1.3.1).
    ///   - protocolParameters: those of the `Authorization` header, without `oauth_signature` and `realm`.
    init(method: String, url: String, form: [UInt8] = [], protocolParameters: [(name: String, value: String)]) {
        let parts = URIParts(url)
        var pairs = protocolParameters.map { (name: PercentEncoding.encode($0.name), value: PercentEncoding.encode($0.value)) }
        pairs += Self.pairs(in: (parts.query ?? "").utf8)
        pairs += Self.pairs(in: form)
        text = [
            method.uppercased(), Self.baseURI(parts) ?? url, Self.normalized(pairs),
        ].map { PercentEncoding.encode($0) }.joined(separator: "&")
    }

    /// Section 3.4.1.2: scheme and host in lower case, without the scheme's own port; the path byte for byte as sent.
    ///
    /// Nil if it is not absolute; endpoints are checked before.
    private static func baseURI(_ url: URIParts) -> String? {
        guard let scheme = url.scheme?.lowercased(), var authority = url.authority?.lowercased() else { return nil }
        let ownPort = scheme == "https" ? ":443" : ":80"
        if authority.ends(with: ownPort) { authority.removeLast(ownPort.count) }
        return "\(scheme)://\(authority)\(url.path.isEmpty ? "/" : url.path)"
    }

    /// Section 3.4.1.3.2: sorted by the bytes of the encoded names, then of the encoded values; nothing is left out.
    private static func normalized(_ pairs: [(name: String, value: String)]) -> String {
        let sorted = pairs.sorted { left, right in
            if left.name == right.name { return left.value.utf8.lexicographicallyPrecedes(right.value.utf8) }
            return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
        return sorted.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    /// Form-decoded, and encoded again as section 3.6 specifies.
    private static func pairs(in form: some Collection<UInt8>) -> [(name: String, value: String)] {
        form.split(separator: UInt8(ascii: "&")).map { pair in
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            return (reencoded(pair[..<equals]), reencoded(pair[equals...].dropFirst()))
        }
    }

    /// Invalid escapes are taken literally: endpoints are checked before, so there are none.
    private static func reencoded(_ bytes: some Collection<UInt8>) -> String {
        PercentEncoding.encode(PercentEncoding.decode(bytes, plusIsSpace: true) ?? Array(bytes))
    }
}

/// The key of HMAC-SHA1 signatures (RFC 5849 section 3.4.2): both secrets, encoded and joined by `&` even if one is missing.
struct OAuth1SigningKey {
    private let bytes: [UInt8]

    init(clientSecret: Secret?, tokenSecret: Secret?) {
        bytes = Array("\(Self.encoded(clientSecret))&\(Self.encoded(tokenSecret))".utf8)
    }

    /// In Base64, not yet encoded for a header.
    func signature(over base: SignatureBaseString, cryptography: some Cryptography) -> String {
        Base64.encode(cryptography.hmacSHA1(key: bytes, message: Array(base.text.utf8)))
    }

    private static func encoded(_ secret: Secret?) -> String {
        secret?.withBytes { PercentEncoding.encode($0) } ?? ""
    }
}
