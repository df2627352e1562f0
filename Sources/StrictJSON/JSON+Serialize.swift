extension JSON {
    /// The value as UTF-8 text without white space; never a bare control character, so never a NUL or a line feed.
    public var serialized: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        serialize(into: &bytes)
        return bytes
    }

    public var text: String { String(decoding: serialized, as: UTF8.self) }

    public func serialize(into bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): bytes.append(contentsOf: String(value).utf8)
        case .decimal(let literal): bytes.append(contentsOf: literal.utf8)
        case .string(let value): Self.serialize(value, into: &bytes)
        case .array(let elements): elements.serialize(into: &bytes)
        case .object(let object): object.serialize(into: &bytes)
        }
    }

    /// Appends the string as JSON, with its quotation marks.
    public static func serialize(_ value: String, into bytes: inout [UInt8]) {
        var value = value
        value.withUTF8 { serialize(utf8: UnsafeRawBufferPointer($0), into: &bytes) }
    }

    /// Appends text, which must be UTF-8, as a JSON string with its quotation marks.
    public static func serialize(utf8 text: UnsafeRawBufferPointer, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        escape(text, into: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    private static func escape(_ text: UnsafeRawBufferPointer, into bytes: inout [UInt8]) {
        var start = 0
        while true {
            let (end, _) = StringScan.plainText(text, from: start)
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[start..<end]))
            guard end < text.count else { return }
            escape(text[end], into: &bytes)
            start = end + 1
        }
    }

    private static func escape(_ byte: UInt8, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(hexadecimalDigit(byte >> 4))
            bytes.append(hexadecimalDigit(byte & 15))
        }
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

extension JSONObject {
    public func serialize(into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for member in members {
            if isFirst { isFirst = false } else { bytes.append(UInt8(ascii: ",")) }
            JSON.serialize(member.key, into: &bytes)
            bytes.append(UInt8(ascii: ":"))
            member.value.serialize(into: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    public var serialized: [UInt8] { JSON.object(self).serialized }
}
