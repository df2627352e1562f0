/// Why a text is not JSON that we take. Says where, never what stood there.
public struct JSONParseError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: String, Sendable {
        case empty = "there is no value"
        case unexpectedEnd = "it ends too early"
        case unexpectedByte = "an unexpected character"
        case trailingBytes = "more text after the value"
        case tooDeep = "it is nested too deeply"
        case duplicateKey = "a key stands twice in one object"
        case invalidNumber = "a number that is not JSON"
        case numberTooLong = "a number with too many digits"
        case invalidEscape = "an invalid escape sequence"
        case invalidUTF8 = "text that is not UTF-8"
        case controlCharacter = "a bare control character in a string"
    }

    public var reason: Reason
    /// Bytes from the start.
    public var offset: Int

    public var description: String { "not valid JSON: \(reason.rawValue), at byte \(offset)" }
}

extension JSON {
    /// Nesting that no honest message needs, and far below what the parser's stack could bear.
    public static let defaultDepthLimit = 64

    /// Reads exactly one value, white space around it allowed.
    ///
    /// - Throws: ``JSONParseError``; a byte order mark, comments and trailing commas are refused too.
    public init(parsing bytes: UnsafeRawBufferPointer, depthLimit: Int = JSON.defaultDepthLimit) throws(JSONParseError) {
        var parser = Parser(bytes: bytes, depthLimit: depthLimit)
        self = try parser.document()
    }

    public init(parsing bytes: [UInt8], depthLimit: Int = JSON.defaultDepthLimit) throws(JSONParseError) {
        // Typed throws do not pass through the closure of `withUnsafeBytes` on every supported compiler.
        let result: Result<JSON, JSONParseError> = bytes.withUnsafeBytes { buffer in
            var parser = Parser(bytes: buffer, depthLimit: depthLimit)
            do throws(JSONParseError) { return .success(try parser.document()) } catch { return .failure(error) }
        }
        self = try result.get()
    }

    public init(parsing text: String, depthLimit: Int = JSON.defaultDepthLimit) throws(JSONParseError) {
        try self.init(parsing: Array(text.utf8), depthLimit: depthLimit)
    }
}

/// Recursive descent over bytes; the depth limit bounds the recursion.
private struct Parser {
    let bytes: UnsafeRawBufferPointer
    let depthLimit: Int
    var offset = 0

    /// Longer literals carry no value that we could use, and cost time to compare.
    static let longestNumber = 128

    init(bytes: UnsafeRawBufferPointer, depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
    }

    func failure(_ reason: JSONParseError.Reason, at place: Int? = nil) -> JSONParseError {
        JSONParseError(reason: reason, offset: place ?? offset)
    }

    mutating func document() throws(JSONParseError) -> JSON {
        skipWhiteSpace()
        guard offset < bytes.count else { throw failure(.empty) }
        let value = try value(depth: 0)
        skipWhiteSpace()
        guard offset == bytes.count else { throw failure(.trailingBytes) }
        return value
    }

    mutating func skipWhiteSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    func peek() throws(JSONParseError) -> UInt8 {
        guard offset < bytes.count else { throw failure(.unexpectedEnd) }
        return bytes[offset]
    }

    mutating func value(depth: Int) throws(JSONParseError) -> JSON {
        switch try peek() {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): try literal("true"); return .bool(true)
        case UInt8(ascii: "f"): try literal("false"); return .bool(false)
        case UInt8(ascii: "n"): try literal("null"); return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw failure(.unexpectedByte)
        }
    }

    mutating func literal(_ word: StaticString) throws(JSONParseError) {
        let length = word.utf8CodeUnitCount
        for index in 0..<length {
            guard offset + index < bytes.count else { throw failure(.unexpectedEnd) }
            guard bytes[offset + index] == word.utf8Start[index] else { throw failure(.unexpectedByte) }
        }
        offset += length
    }

    mutating func object(depth: Int) throws(JSONParseError) -> JSONObject {
        guard depth <= depthLimit else { throw failure(.tooDeep) }
        offset += 1
        var members: [(key: String, value: JSON)] = []
        var seen: Set<String> = []
        skipWhiteSpace()
        if try peek() == UInt8(ascii: "}") { offset += 1; return JSONObject() }
        while true {
            guard try peek() == UInt8(ascii: "\"") else { throw failure(.unexpectedByte) }
            let start = offset
            let key = try string()
            // A set costs more than it saves in small objects.
            if members.count < 16 {
                for member in members where member.key == key { throw failure(.duplicateKey, at: start) }
            } else {
                if seen.isEmpty { seen = Set(members.map(\.key)) }
                guard seen.insert(key).inserted else { throw failure(.duplicateKey, at: start) }
            }
            skipWhiteSpace()
            guard try peek() == UInt8(ascii: ":") else { throw failure(.unexpectedByte) }
            offset += 1
            skipWhiteSpace()
            members.append((key, try value(depth: depth)))
            skipWhiteSpace()
            switch try peek() {
            case UInt8(ascii: ","): offset += 1; skipWhiteSpace()
            case UInt8(ascii: "}"): offset += 1; return JSONObject(uniqueMembers: members)
            default: throw failure(.unexpectedByte)
            }
        }
    }

    mutating func array(depth: Int) throws(JSONParseError) -> [JSON] {
        guard depth <= depthLimit else { throw failure(.tooDeep) }
        offset += 1
        var elements: [JSON] = []
        skipWhiteSpace()
        if try peek() == UInt8(ascii: "]") { offset += 1; return elements }
        while true {
            elements.append(try value(depth: depth))
            skipWhiteSpace()
            switch try peek() {
            case UInt8(ascii: ","): offset += 1; skipWhiteSpace()
            case UInt8(ascii: "]"): offset += 1; return elements
            default: throw failure(.unexpectedByte)
            }
        }
    }

    mutating func number() throws(JSONParseError) -> JSON {
        let start = offset
        var isInteger = true
        if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        let firstDigit = offset
        try digits()
        if bytes[firstDigit] == UInt8(ascii: "0"), offset - firstDigit > 1 { throw failure(.invalidNumber, at: start) }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            isInteger = false
            offset += 1
            try digits()
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            offset += 1
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") { offset += 1 }
            try digits()
        }
        guard offset - start <= Self.longestNumber else { throw failure(.numberTooLong, at: start) }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isInteger, let value = Int64(text) { return .integer(value) }
        return .decimal(text)
    }

    mutating func digits() throws(JSONParseError) {
        let start = offset
        while offset < bytes.count, bytes[offset] &- UInt8(ascii: "0") < 10 { offset += 1 }
        guard offset > start else { throw failure(offset < bytes.count ? .invalidNumber : .unexpectedEnd) }
    }

    mutating func string() throws(JSONParseError) -> String {
        offset += 1
        let start = offset
        var isASCII = true
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") {
                let slice = UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
                offset += 1
                if isASCII { return String(decoding: slice, as: UTF8.self) }
                guard let text = String(validating: slice, as: UTF8.self) else { throw failure(.invalidUTF8, at: start) }
                return text
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
            if byte < 0x20 { throw failure(.controlCharacter) }
            if byte >= 0x80 { isASCII = false }
            offset += 1
        }
        throw failure(.unexpectedEnd)
    }

    /// The slow path: a string that has at least one escape.
    mutating func escapedString(from start: Int) throws(JSONParseError) -> String {
        var text = Array(bytes[start..<offset])
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                guard let result = String(validating: text, as: UTF8.self) else { throw failure(.invalidUTF8, at: start) }
                return result
            case UInt8(ascii: "\\"):
                offset += 1
                try escape(into: &text)
            case 0..<0x20:
                throw failure(.controlCharacter)
            default:
                text.append(byte)
                offset += 1
            }
        }
        throw failure(.unexpectedEnd)
    }

    mutating func escape(into text: inout [UInt8]) throws(JSONParseError) {
        let byte = try peek()
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            let place = offset
            var code = UInt32(try hexadecimalUnit())
            if code & 0xFC00 == 0xD800 {
                guard offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u")
                else { throw failure(.invalidEscape, at: place) }
                offset += 2
                let low = UInt32(try hexadecimalUnit())
                guard low & 0xFC00 == 0xDC00 else { throw failure(.invalidEscape, at: place) }
                code = 0x10000 + (code & 0x3FF) << 10 + (low & 0x3FF)
            }
            guard let scalar = Unicode.Scalar(code) else { throw failure(.invalidEscape, at: place) }
            text.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
        default: throw failure(.invalidEscape, at: offset - 1)
        }
    }

    mutating func hexadecimalUnit() throws(JSONParseError) -> UInt16 {
        guard offset + 4 <= bytes.count else { throw failure(.unexpectedEnd) }
        var unit: UInt16 = 0
        for _ in 0..<4 {
            let byte = bytes[offset]
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw failure(.invalidEscape)
            }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }
}
