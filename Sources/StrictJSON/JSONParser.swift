/// Recursive descent over bytes; the depth limit bounds the recursion.
///
/// `next` never passes the end: a comparison with `count` precedes every read.
struct JSONParser {
    let bytes: UnsafeRawBufferPointer
    let count: Int
    let depthLimit: Int
    var next = 0

    init(_ bytes: UnsafeRawBufferPointer, depthLimit: Int) {
        self.bytes = bytes
        self.count = bytes.count
        self.depthLimit = depthLimit
    }

    mutating func document() throws(JSONParseError) -> JSON {
        skipWhiteSpace()
        guard next < count else { throw failure(.empty) }
        let value = try value(depth: 0)
        skipWhiteSpace()
        guard next == count else { throw failure(.trailingBytes) }
        return value
    }

    mutating func value(depth: Int) throws(JSONParseError) -> JSON {
        switch try peek() {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "t"):
            try literal("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try literal("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try literal("null")
            return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw failure(.unexpectedByte)
        }
    }

    private mutating func object(depth: Int) throws(JSONParseError) -> JSONObject {
        guard depth <= depthLimit else { throw failure(.tooDeep) }
        next += 1
        skipWhiteSpace()
        if try peek() == UInt8(ascii: "}") {
            next += 1
            return JSONObject()
        }
        var members: [(key: String, value: JSON)] = []
        members.reserveCapacity(4)
        var seen = SeenKeys()
        while true {
            let start = next
            guard try peek() == UInt8(ascii: "\"") else { throw failure(.unexpectedByte) }
            let key = try string()
            guard seen.insert(key, into: members) else { throw failure(.duplicateKey, at: start) }
            skipWhiteSpace()
            guard try peek() == UInt8(ascii: ":") else { throw failure(.unexpectedByte) }
            next += 1
            skipWhiteSpace()
            members.append((key, try value(depth: depth)))
            skipWhiteSpace()
            switch try peek() {
            case UInt8(ascii: ","):
                next += 1
                skipWhiteSpace()
            case UInt8(ascii: "}"):
                next += 1
                return JSONObject(uniqueMembers: members)
            default: throw failure(.unexpectedByte)
            }
        }
    }

    private mutating func array(depth: Int) throws(JSONParseError) -> [JSON] {
        guard depth <= depthLimit else { throw failure(.tooDeep) }
        next += 1
        skipWhiteSpace()
        if try peek() == UInt8(ascii: "]") {
            next += 1
            return []
        }
        var elements: [JSON] = []
        elements.reserveCapacity(4)
        while true {
            elements.append(try value(depth: depth))
            skipWhiteSpace()
            switch try peek() {
            case UInt8(ascii: ","):
                next += 1
                skipWhiteSpace()
            case UInt8(ascii: "]"):
                next += 1
                return elements
            default: throw failure(.unexpectedByte)
            }
        }
    }

    private mutating func literal(_ word: StaticString) throws(JSONParseError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard next + index < count else { throw failure(.unexpectedEnd) }
            guard bytes[next + index] == word.utf8Start[index] else { throw failure(.unexpectedByte) }
        }
        next += word.utf8CodeUnitCount
    }

    // MARK: - Bytes

    @inline(__always)
    func peek() throws(JSONParseError) -> UInt8 {
        guard next < count else { throw failure(.unexpectedEnd) }
        return bytes[next]
    }

    @inline(__always)
    mutating func skipWhiteSpace() {
        while next < count {
            let byte = bytes[next]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            next += 1
        }
    }

    func failure(_ reason: JSONParseError.Reason, at place: Int? = nil) -> JSONParseError {
        JSONParseError(reason: reason, offset: place ?? next)
    }
}

/// Finds duplicate keys in linear time: an object with 100,000 members must not cost 100,000 squared.
private struct SeenKeys {
    /// Compares and hashes bytes, ignoring Unicode equivalence.
    private struct Key: Hashable {
        let text: String

        static func == (left: Key, right: Key) -> Bool { JSONObject.isSameKey(left.text, right.text) }

        func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }

    private var keys: Set<Key> = []

    /// A set costs more than it saves in small objects.
    private static let smallObject = 16

    /// False if the key is there already.
    mutating func insert(_ key: String, into members: [(key: String, value: JSON)]) -> Bool {
        if members.count < Self.smallObject {
            for member in members where JSONObject.isSameKey(member.key, key) { return false }
            return true
        }
        if keys.isEmpty { keys = Set(members.map { Key(text: $0.key) }) }
        return keys.insert(Key(text: key)).inserted
    }
}

/// Why a text is not JSON that we accept. Gives the position, never the text there.
public struct JSONParseError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: String, Sendable {
        case empty = "there is no value"
        case unexpectedEnd = "it ends too early"
        case unexpectedByte = "an unexpected character"
        case trailingBytes = "more text after the value"
        case tooDeep = "it is nested too deeply"
        case duplicateKey = "duplicate key in an object"
        case invalidNumber = "a number that is not JSON"
        case numberTooLong = "a number with too many digits"
        case invalidEscape = "an invalid escape sequence"
        case invalidUTF8 = "text that is not UTF-8"
        case controlCharacter = "a bare control character in a string"
    }

    public var reason: Reason
    /// In bytes from the start.
    public var offset: Int

    public init(reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    public var description: String { "not valid JSON: \(reason.rawValue), at byte \(offset)" }
}
