/// Percent-encoding of one name or value (RFC 3986 section 2.1): all but the unreserved characters, as UTF-8.
enum PercentEncoding {
    /// For a URL: a space becomes `%20`, which every parser understands, form decoder or not.
    static func encode(_ text: String) -> String { encode(text.utf8, space: "%20") }

    /// For bytes that may not be text.
    static func encode(_ bytes: some Sequence<UInt8>) -> String { encode(bytes, space: "%20") }

    /// For `application/x-www-form-urlencoded`, as RFC 6749 appendix B requires: a space becomes `+`.
    static func formEncode(_ text: String) -> String { encode(text.utf8, space: "+") }

    static func formEncode(_ secret: Secret) -> String { secret.withBytes { encode($0, space: "+") } }

    /// Whether encoding leaves everything as it is.
    static func isUnreserved(_ bytes: some Sequence<UInt8>) -> Bool { bytes.allSatisfy(isUnreserved) }

    private static func isUnreserved(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte.isDecimalDigit || "-._~".utf8.contains(byte) }

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
            while bytes.count >= 3, bytes[bytes.count - 3] == UInt8(ascii: "%"), let high = value(bytes[bytes.count - 2]),
                let low = value(bytes[bytes.count - 1])
            {
                bytes.removeLast(3)
                bytes.append(high << 4 | low)
            }
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        guard digit.isHexadecimalDigit else { return nil }
        return digit.isDecimalDigit ? digit - UInt8(ascii: "0") : (digit | 0x20) - UInt8(ascii: "a") + 10
    }

    private static let hexadecimalDigits = Array("0123456789ABCDEF".utf8)

    private static func encode(_ bytes: some Sequence<UInt8>, space: StaticString) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            switch byte {
            case _ where isUnreserved(byte): text.append(byte)
            case UInt8(ascii: " "): space.withUTF8Buffer { text.append(contentsOf: $0) }
            default:
                text.append(UInt8(ascii: "%"))
                text.append(hexadecimalDigits[Int(byte >> 4)])
                text.append(hexadecimalDigits[Int(byte & 15)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
