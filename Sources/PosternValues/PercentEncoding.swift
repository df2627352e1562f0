/// Percent-encoding of text as UTF-8 (RFC 3986 section 2.1).
package enum PercentEncoding {
    /// Encodes all but the unreserved characters. A space becomes `%20`, which every parser understands, form decoder or not.
    package static func encode(_ text: String) -> String { encode(text.utf8) }

    /// For bytes that may not be text.
    ///
    /// - Parameters:
    ///   - space: what a space becomes.
    ///   - isKept: the bytes that stay as they are.
    @inlinable
    package static func encode(
        _ bytes: some Sequence<UInt8>, space: StaticString = "%20", keeping isKept: (UInt8) -> Bool = { $0.isUnreserved }
    ) -> String {
        var text: [UInt8] = []
        for byte in bytes {
            switch byte {
            case _ where isKept(byte): text.append(byte)
            case UInt8(ascii: " "): space.withUTF8Buffer { text.append(contentsOf: $0) }
            default:
                text.append(UInt8(ascii: "%"))
                text.append(digit(byte >> 4))
                text.append(digit(byte & 15))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    @inlinable
    static func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + (value - 10) }

    /// The bytes that are encoded; they may not be text.
    ///
    /// - Parameters:
    ///   - plusIsSpace: as in `application/x-www-form-urlencoded`.
    ///   - keepsStrayPercent: a percent sign that no two digits follow stays as it is.
    /// - Returns: nil if there is such a percent sign, and it does not stay.
    @inlinable
    package static func decode(
        _ bytes: some Collection<UInt8>, plusIsSpace: Bool = false, keepsStrayPercent: Bool = false
    ) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+") where plusIsSpace: decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let afterHigh = rest.dropFirst()
                if let high = rest.first?.hexadecimalValue, let low = afterHigh.first?.hexadecimalValue {
                    decoded.append(high << 4 | low)
                    rest = afterHigh.dropFirst()
                } else {
                    guard keepsStrayPercent else { return nil }
                    decoded.append(byte)
                }
            default: decoded.append(byte)
            }
        }
        return decoded
    }

    /// Decodes all layers in one pass: escapes hidden inside other escapes are decoded, too. An incomplete escape is left as it is.
    package static func decodeAll(_ text: some Sequence<UInt8>) -> [UInt8] {
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
