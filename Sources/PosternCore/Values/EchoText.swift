/// A text as it is compared with secrets: without white space, control characters and invisible ones, and with percent-encoding, the
/// escapes of JSON and the entities of HTML decoded, in several layers.
///
/// A secret has the same form however it was encoded, and also if ``ProviderText`` would put it together again from its pieces.
struct EchoText {
    /// An error inside a document inside a form has three.
    private static let mostLayers = 4

    private(set) var bytes: [UInt8] = []
    /// Where each of the bytes comes from, in bytes of the original.
    private(set) var places: [Range<Int>] = []

    init(_ text: String) {
        bytes.reserveCapacity(text.utf8.count)
        places.reserveCapacity(text.utf8.count)
        var place = 0
        for scalar in text.unicodeScalars {
            let width = UTF8.width(scalar)
            defer { place += width }
            guard Self.isVisible(scalar), let units = UTF8.encode(scalar) else { continue }
            for unit in units { append(unit, from: place..<(place + width)) }
        }
        var layers = 0
        while layers < Self.mostLayers, decodeLayer() { layers += 1 }
    }

    private mutating func append(_ byte: UInt8, from place: Range<Int>) {
        bytes.append(byte)
        places.append(place)
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return 0x21...0x7E ~= scalar.value }
        return switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator, .spaceSeparator: false
        default: true
        }
    }

    /// - Returns: whether there was anything to decode.
    private mutating func decodeLayer() -> Bool {
        let (encoded, origins) = (bytes, places)
        bytes.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        var index = 0
        while index < encoded.count {
            let (byte, length) = Self.unit(encoded[index...])
            let end = index + length
            if let byte { append(byte, from: origins[index].lowerBound..<origins[end - 1].upperBound) }
            index = end
        }
        return bytes.count < encoded.count
    }

    /// The first byte that is meant, nil if it counts for nothing, and how many bytes stand for it.
    private static func unit(_ text: ArraySlice<UInt8>) -> (byte: UInt8?, length: Int) {
        guard let first = text.first else { return (nil, 0) }
        switch first {
        case UInt8(ascii: "%"): return number(text.dropFirst().prefix(2), digits: 2, 16).map { (visible($0), 3) } ?? (first, 1)
        case UInt8(ascii: "\\"): return escape(text)
        case UInt8(ascii: "&"): return entity(text) ?? (first, 1)
        default: return (visible(first), 1)
        }
    }

    /// White space, a plus sign, which is one in forms, and control characters count for nothing.
    private static func visible(_ byte: UInt8) -> UInt8? { byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "+") ? nil : byte }

    /// `\u002B`, or a backslash before any other character.
    private static func escape(_ text: ArraySlice<UInt8>) -> (byte: UInt8?, length: Int) {
        let rest = text.dropFirst()
        guard rest.first == UInt8(ascii: "u"), let byte = number(rest.dropFirst().prefix(4), digits: 4, 16) else { return (nil, 1) }
        return (visible(byte), 6)
    }

    private static let entities: [(text: [UInt8], byte: UInt8)] = [
        (Array("&amp;".utf8), UInt8(ascii: "&")), (Array("&lt;".utf8), UInt8(ascii: "<")), (Array("&gt;".utf8), UInt8(ascii: ">")),
        (Array("&quot;".utf8), UInt8(ascii: "\"")), (Array("&apos;".utf8), UInt8(ascii: "'")),
    ]

    /// `&amp;`, `&#43;` or `&#x2B;`.
    private static func entity(_ text: ArraySlice<UInt8>) -> (byte: UInt8?, length: Int)? {
        if let known = entities.first(where: { text.starts(with: $0.text) }) { return (known.byte, known.text.count) }
        let start = text.dropFirst()
        guard start.first == UInt8(ascii: "#"), let end = text.prefix(8).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let digits = text[start.index(after: start.startIndex)..<end]
        let isHexadecimal = digits.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        let byte = isHexadecimal ? number(digits.dropFirst(), digits: digits.count - 1, 16) : number(digits, digits: digits.count, 10)
        return byte.map { (visible($0), end + 1 - text.startIndex) }
    }

    /// Nil if these are not so many digits, or not of a byte.
    private static func number(_ digits: ArraySlice<UInt8>, digits count: Int, _ radix: Int) -> UInt8? {
        guard count > 0, digits.count == count, digits.allSatisfy(\.isHexadecimalDigit) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: radix)
    }
}
