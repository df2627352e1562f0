extension PercentEncoding {
    /// For `application/x-www-form-urlencoded`, as RFC 6749 appendix B requires: a space becomes `+`.
    static func formEncode(_ text: String) -> String { encode(text.utf8, space: "+") }

    static func formEncode(_ secret: Secret) -> String { secret.withBytes { encode($0, space: "+") } }

    /// `name=value` pairs joined by `&`, for a URL.
    static func query(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    /// `name=value` pairs joined by `&`, for a body.
    static func form(_ pairs: [(name: String, value: String)]) -> [UInt8] {
        Array(pairs.map { "\(formEncode($0.name))=\(formEncode($0.value))" }.joined(separator: "&").utf8)
    }
}
