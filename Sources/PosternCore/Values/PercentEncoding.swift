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

    /// Decodes all layers in one pass: escapes hidden inside other escapes are decoded, too. An incomplete escape is left as it is.
    static func decodeAll(_ text: some Sequence<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.underestimatedCount)
        for byte in text {
            bytes.append(byte)
            // A decoded byte may be the last digit of another escape. Each one removes two bytes, so there are at most half as many as
            // bytes.
            while bytes.count >= 3, bytes[bytes.count - 3] == UInt8(ascii: "%"), let high = bytes[bytes.count - 2].hexadecimalValue,
                let low = bytes[bytes.count - 1].hexadecimalValue
            {
                bytes.removeLast(3)
                bytes.append(high << 4 | low)
            }
        }
        return bytes
    }
}
