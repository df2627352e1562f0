import PosternValues
import StrictJSON

/// Reads over JSON (RFC 8259) without making a tree: says where values are, and refuses what is no JSON or no UTF-8.
///
/// It is stricter than a reader that only looks for what it knows, because what it lets pass is read again by others: a text that one of them
/// ends elsewhere would be two messages. It allows what StrictJSON refuses because nothing is read from it here: numbers of any length, half
/// a surrogate pair as an escape, names twice (those that matter are the caller's to compare).
///
/// `next` never passes the end: a comparison with `count` precedes every read.
struct JSONScanner {
    let bytes: UnsafeRawBufferPointer
    let count: Int
    var next: Int
    private var depth = 0
    private let depthLimit: Int
    /// Where the first CR or LF between two tokens is.
    private(set) var lineBreak: Int?

    init(_ bytes: UnsafeRawBufferPointer, from start: Int = 0, depthLimit: Int = MCPBatch.depthLimit) {
        self.bytes = bytes
        count = bytes.count
        next = start
        self.depthLimit = depthLimit
    }

    /// A string in the text, without its quotation marks.
    struct Text {
        var range: Range<Int>
        var hasEscapes: Bool
    }

    // MARK: - Values

    /// Skips one value, and says where it is. White space before it must have been skipped.
    @discardableResult
    mutating func value() throws(JSONParseError) -> Range<Int> {
        let start = next
        switch try peek() {
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "{"):
            var more = try openObject()
            while more {
                _ = try name()
                try value()
                more = try nextMember()
            }
        case UInt8(ascii: "["):
            var more = try openArray()
            while more {
                try value()
                more = try nextElement()
            }
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        default: throw failure(.unexpectedByte)
        }
        return start..<next
    }

    /// Enters an object. False if it has no members; it is left then.
    mutating func openObject() throws(JSONParseError) -> Bool { try open(closedBy: UInt8(ascii: "}")) }

    /// The name of a member; leaves `next` at its value.
    mutating func name() throws(JSONParseError) -> Text {
        guard try peek() == UInt8(ascii: "\"") else { throw failure(.unexpectedByte) }
        let text = try string()
        skipWhiteSpace()
        guard try peek() == UInt8(ascii: ":") else { throw failure(.unexpectedByte) }
        next += 1
        skipWhiteSpace()
        return text
    }

    /// Goes on after a member's value. False at the end of the object, which is left then.
    mutating func nextMember() throws(JSONParseError) -> Bool { try goOn(until: UInt8(ascii: "}")) }

    mutating func openArray() throws(JSONParseError) -> Bool { try open(closedBy: UInt8(ascii: "]")) }

    mutating func nextElement() throws(JSONParseError) -> Bool { try goOn(until: UInt8(ascii: "]")) }

    private mutating func open(closedBy end: UInt8) throws(JSONParseError) -> Bool {
        guard depth < depthLimit else { throw failure(.tooDeep) }
        next += 1
        skipWhiteSpace()
        if try peek() == end {
            next += 1
            return false
        }
        depth += 1
        return true
    }

    private mutating func goOn(until end: UInt8) throws(JSONParseError) -> Bool {
        skipWhiteSpace()
        let byte = try peek()
        guard byte == end || byte == UInt8(ascii: ",") else { throw failure(.unexpectedByte) }
        next += 1
        if byte == end {
            depth -= 1
            return false
        }
        skipWhiteSpace()
        return true
    }

    private mutating func literal(_ word: StaticString) throws(JSONParseError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard next + index < count else { throw failure(.unexpectedEnd) }
            guard bytes[next + index] == word.utf8Start[index] else { throw failure(.unexpectedByte) }
        }
        next += word.utf8CodeUnitCount
    }

    private mutating func number() throws(JSONParseError) {
        let start = next
        if bytes[next] == UInt8(ascii: "-") { next += 1 }
        let first = next
        try digits()
        if bytes[first] == UInt8(ascii: "0"), next - first > 1 { throw failure(.invalidNumber, at: start) }
        if next < count, bytes[next] == UInt8(ascii: ".") {
            next += 1
            try digits()
        }
        if next < count, bytes[next] | 0x20 == UInt8(ascii: "e") {
            next += 1
            if next < count, bytes[next] == UInt8(ascii: "+") || bytes[next] == UInt8(ascii: "-") { next += 1 }
            try digits()
        }
    }

    private mutating func digits() throws(JSONParseError) {
        let start = next
        while next < count, bytes[next] &- UInt8(ascii: "0") < 10 { next += 1 }
        guard next > start else { throw failure(next < count ? .invalidNumber : .unexpectedEnd) }
    }

    // MARK: - Strings

    mutating func string() throws(JSONParseError) -> Text {
        next += 1
        let start = next
        var hasEscapes = false
        while true {
            next = ByteSearch.stringMark(in: bytes, from: next)
            switch try peek() {
            case UInt8(ascii: "\""):
                next += 1
                return Text(range: start..<next - 1, hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try escape()
            case 0x80...: try longCharacters()
            default: throw failure(.controlCharacter)
            }
        }
    }

    private mutating func escape() throws(JSONParseError) {
        next += 1
        switch try peek() {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            next += 1
        case UInt8(ascii: "u"):
            next += 1
            for _ in 0..<4 {
                guard try peek().isHexadecimalDigit else { throw failure(.invalidEscape) }
                next += 1
            }
        default: throw failure(.invalidEscape)
        }
    }

    /// Characters of two bytes and more (Unicode, table 3-7): no surrogates, none in more bytes than it needs.
    private mutating func longCharacters() throws(JSONParseError) {
        while next < count {
            let lead = bytes[next]
            guard lead >= 0x80 else { return }
            let length: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch lead {
            case 0xC2...0xDF: length = 2
            case 0xE0: (length, second) = (3, 0xA0...0xBF)
            case 0xED: (length, second) = (3, 0x80...0x9F)
            case 0xE1...0xEF: length = 3
            case 0xF0: (length, second) = (4, 0x90...0xBF)
            case 0xF1...0xF3: length = 4
            case 0xF4: (length, second) = (4, 0x80...0x8F)
            default: throw failure(.invalidUTF8)
            }
            guard count - next >= length else { throw failure(.invalidUTF8) }
            guard second ~= bytes[next + 1], length < 3 || bytes[next + 2] & 0xC0 == 0x80, length < 4 || bytes[next + 3] & 0xC0 == 0x80
            else { throw failure(.invalidUTF8) }
            next += length
        }
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
            guard byte <= 0x20 else { return }
            if byte == 0x0A || byte == 0x0D {
                if lineBreak == nil { lineBreak = next }
            } else if byte != 0x20, byte != 0x09 {
                return
            }
            next += 1
        }
    }

    func failure(_ reason: JSONParseError.Reason, at place: Int? = nil) -> JSONParseError {
        JSONParseError(reason: reason, offset: place ?? next)
    }
}
