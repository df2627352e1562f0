import StrictJSON

/// A JSON file of another program, edited in place: what is not set stays byte for byte as it is.
struct JSONText {
    private(set) var bytes: [UInt8]
    private(set) var value: JSONObject
    /// The same text with blanks in the place of comments, and of commas that nothing follows.
    private let plain: [UInt8]
    private let takesComments: Bool

    /// - Parameter takesComments: the program that it belongs to reads JSON with comments, and with commas at the end.
    /// - Throws: why it is not understood, as the end of a sentence that begins with the file.
    init(_ bytes: [UInt8], takesComments: Bool = false) throws(Obstacle) {
        let plain = takesComments ? Self.withoutComments(bytes) : bytes
        let json: JSON
        do throws(JSONParseError) { json = try JSON(parsing: plain) } catch { throw Obstacle("is \(error.description)") }
        guard case .object(let value) = json else { throw Obstacle("is not a JSON object") }
        (self.bytes, self.value, self.plain, self.takesComments) = (bytes, value, plain, takesComments)
    }

    /// Every byte stays where it is.
    private static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
        var plain = bytes
        /// A comma behind a value that nothing but blanks follows so far.
        var comma: Int?
        /// The last byte that is no blank.
        var last = UInt8(ascii: "{")
        var index = 0
        func blank(_ range: Range<Int>) { for index in range where bytes[index] != 0x0A && bytes[index] != 0x0D { plain[index] = 0x20 } }
        while index < bytes.count {
            let rest = bytes[index...]
            if rest.starts(with: "//".utf8) {
                let end = rest.firstIndex(of: 0x0A) ?? bytes.endIndex
                blank(index..<end)
                index = end
                continue
            }
            if rest.starts(with: "/*".utf8) {
                var end = index + 2
                while end < bytes.count, !bytes[end...].starts(with: "*/".utf8) { end += 1 }
                // One without an end is left, and is no JSON.
                guard end < bytes.count else { return plain }
                blank(index..<end + 2)
                index = end + 2
                continue
            }
            switch bytes[index] {
            case UInt8(ascii: "\""):
                comma = nil
                index = end(ofStringAt: index, in: bytes)
            case UInt8(ascii: ","): comma = "{[,:".utf8.contains(last) ? nil : index
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if let comma { plain[comma] = 0x20 }
                comma = nil
            case let byte where isBlank(byte): break
            default: comma = nil
            }
            if index < bytes.count, !isBlank(bytes[index]) { last = bytes[index] }
            index += 1
        }
        return plain
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    /// Of its closing quotation mark, or beyond the last byte if there is none.
    private static func end(ofStringAt start: Int, in bytes: [UInt8]) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return index
    }

    struct Obstacle: Error, Equatable, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// Sets a member of an object that is a member of the whole, in the notation of what is there.
    mutating func set(_ name: String, in key: String, to member: JSONObject) throws(Obstacle) {
        var expected = value
        var inner = JSONObject()
        if let there = value[key] {
            guard case .object(let object) = there else { throw Obstacle("has a \(key) that is not an object") }
            inner = object
        }
        inner[name] = .object(member)
        expected[key] = .object(inner)
        let edited = placing(name, in: key, .object(member))
        // The result is parsed again: it must differ in this member and in nothing else.
        let result = try JSONText(edited, takesComments: takesComments)
        guard JSON.object(result.value) == JSON.object(expected), result.value.keys == expected.keys else {
            throw Obstacle("cannot be edited without a change of something else")
        }
        self = result
    }

    private func placing(_ name: String, in key: String, _ member: JSON) -> [UInt8] {
        var scan = Scan(plain)
        let root = scan.object()
        let layout = Layout(root, in: plain)
        guard let place = root.members.last(where: { $0.key == key }) else {
            let object = JSON.object([name: member])
            return inserting(key, layout.text(of: object, depth: 1), into: root, layout, depth: 0)
        }
        var inner = Scan(plain, at: place.value.lowerBound)
        let object = inner.object()
        let text = layout.text(of: member, depth: 2)
        guard let present = object.members.last(where: { $0.key == name }) else {
            return inserting(name, text, into: object, layout, depth: 1)
        }
        return Array(bytes[..<present.value.lowerBound] + Array(text.utf8) + bytes[present.value.upperBound...])
    }

    /// What parts two members, without a comment that may be there.
    private func blanks(_ range: Range<Int>) -> ArraySlice<UInt8> {
        let gap = bytes[range]
        guard gap != plain[range] else { return gap }
        guard let end = gap.lastIndex(of: 0x0A), !plain[end...].isEmpty else { return [] }
        return (end > gap.startIndex && bytes[end - 1] == 0x0D ? [0x0D] : []) + plain[end..<range.upperBound]
    }

    private func inserting(_ name: String, _ text: String, into object: Scan.Object, _ layout: Layout, depth: Int) -> [UInt8] {
        let member = JSON.string(name).text + layout.colon + text
        guard let last = object.members.last else {
            let inside = layout.newline(depth + 1) + member + layout.newline(depth)
            let comments = bytes[(object.opening + 1)..<object.closing]
            let kept = comments == plain[(object.opening + 1)..<object.closing] ? [] : comments
            return Array(bytes[...object.opening] + kept + Array(inside.utf8) + bytes[object.closing...])
        }
        // As the members before it are parted from each other.
        let first = object.members[0]
        let gap = blanks((object.opening + 1)..<first.start)
        let between = gap.isEmpty && object.members.count > 1 ? blanks((first.comma + 1)..<object.members[1].start) : gap
        let end = last.value.upperBound
        return Array(bytes[..<end] + [UInt8(ascii: ",")] + between + Array(member.utf8) + bytes[end...])
    }
}

extension JSONText {
    /// Where the members of an object are, in a document that was parsed before.
    fileprivate struct Scan {
        struct Member {
            var key: String
            var start: Int
            var value: Range<Int>
            /// Of the comma behind it; where the object ends, if there is none.
            var comma: Int
        }

        struct Object {
            var opening: Int
            var closing: Int
            var members: [Member] = []
        }

        private let bytes: [UInt8]
        private var next: Int

        init(_ bytes: [UInt8], at start: Int = 0) { (self.bytes, next) = (bytes, start) }

        mutating func object() -> Object {
            skipSpace()
            var object = Object(opening: next, closing: next)
            next += 1
            while next < bytes.count {
                skipSpace()
                guard next < bytes.count, bytes[next] == UInt8(ascii: "\"") else { break }
                let start = next
                skipValue()
                let key = (try? JSON(parsing: Array(bytes[start..<next])))?.stringValue ?? ""
                skipSpace()
                next += 1
                skipSpace()
                let begin = next
                skipValue()
                let value = begin..<next
                skipSpace()
                object.members.append(Member(key: key, start: start, value: value, comma: next))
                guard next < bytes.count, bytes[next] == UInt8(ascii: ",") else { break }
                next += 1
            }
            object.closing = next
            return object
        }

        private mutating func skipSpace() {
            while next < bytes.count, isBlank(bytes[next]) { next += 1 }
        }

        /// A string, an object or an array with all that is in it, or a word.
        private mutating func skipValue() {
            var depth = 0
            while next < bytes.count {
                switch bytes[next] {
                case UInt8(ascii: "\""): skipString()
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    depth += 1
                    next += 1
                    continue
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    guard depth > 0 else { return }
                    depth -= 1
                    next += 1
                case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
                    guard depth > 0 else { return }
                    next += 1
                    continue
                default:
                    next += 1
                    continue
                }
                if depth == 0 { return }
            }
        }

        private mutating func skipString() {
            next = min(end(ofStringAt: next, in: bytes) + 1, bytes.count)
        }
    }

    /// How a document is laid out: an indentation for each level, or everything on one line.
    fileprivate struct Layout {
        private let unit: String?
        private let lineEnd: String
        let colon: String

        init(_ root: Scan.Object, in bytes: [UInt8]) {
            guard let first = root.members.first else {
                (unit, lineEnd, colon) = ("  ", "\n", ": ")
                return
            }
            let gap = bytes[(root.opening + 1)..<first.start]
            let key = bytes[first.start..<first.value.lowerBound]
            colon = key.last == UInt8(ascii: " ") ? ": " : ":"
            guard let end = gap.lastIndex(of: 0x0A) else {
                (unit, lineEnd) = (nil, "")
                return
            }
            lineEnd = end > gap.startIndex && bytes[end - 1] == 0x0D ? "\r\n" : "\n"
            unit = String(decoding: gap[(end + 1)...], as: UTF8.self)
        }

        func newline(_ depth: Int) -> String { unit.map { lineEnd + String(repeating: $0, count: depth) } ?? "" }

        func text(of value: JSON, depth: Int) -> String {
            switch value {
            case .array(let elements) where !elements.isEmpty:
                return list("[", elements.map { text(of: $0, depth: depth + 1) }, "]", depth)
            case .object(let object) where !object.isEmpty:
                let members = object.members.map { JSON.string($0.key).text + colon + text(of: $0.value, depth: depth + 1) }
                return list("{", members, "}", depth)
            default: return value.text
            }
        }

        private func list(_ opening: String, _ elements: [String], _ closing: String, _ depth: Int) -> String {
            let separator = unit == nil ? (colon == ": " ? ", " : ",") : "," + newline(depth + 1)
            return opening + newline(depth + 1) + elements.joined(separator: separator) + newline(depth) + closing
        }
    }
}
