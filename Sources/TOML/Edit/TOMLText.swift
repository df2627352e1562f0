/// A TOML document as text. Edits keep its comments, order and spacing.
public struct TOMLText: Sendable {
    public private(set) var bytes: [UInt8]

    /// - Throws: if it is not TOML.
    public init(_ bytes: [UInt8]) throws(TOMLParseError) {
        _ = try TOMLTable(parsing: bytes)
        self.bytes = bytes
    }

    /// Sets the value of a key: replaces the one that it has, or adds the key beside its neighbours, or below its own header.
    ///
    /// - Parameter value: in the notation of a file.
    public mutating func set(_ path: [String], to value: String) throws(TOMLEditError) {
        guard let parsed = Self.value(value) else { throw .notAValue }
        let old = try table()
        let path = path.map { Array($0.utf8) }
        guard !path.isEmpty else { throw .noKey }
        let edited = try placing(value, at: path)
        // The result is parsed again: it must differ in this value and in nothing else.
        guard let new = try? TOMLTable(parsing: edited), Plain(new) == Plain(old).setting(path[...], to: Plain(parsed)) else {
            throw .unexpected
        }
        bytes = edited
    }

    /// Removes a key, or a table with its content. A header with nothing left below it is removed as well, unless it has a comment.
    ///
    /// - Returns: false if there is none.
    public mutating func unset(_ path: [String]) throws(TOMLEditError) -> Bool {
        let old = try table()
        let path = path.map { Array($0.utf8) }
        guard !path.isEmpty else { throw .noKey }
        guard let edited = try removing(path) else { return false }
        guard let new = try? TOMLTable(parsing: edited), Plain(new).pruned == Plain(old).removing(path[...]).pruned else {
            throw .unexpected
        }
        bytes = edited
        return true
    }

    /// Gives a key or a table another name; its place, its comments and its content stay.
    ///
    /// - Returns: false if there is none.
    public mutating func rename(_ path: [String], to name: String) throws(TOMLEditError) -> Bool {
        let old = try table()
        let path = path.map { Array($0.utf8) }
        guard !path.isEmpty else { throw .noKey }
        let renamed = path.dropLast() + [Array(name.utf8)]
        guard let edited = try renaming(path, to: Array(renamed)) else { return false }
        guard let new = try? TOMLTable(parsing: edited), Plain(new) == Plain(old).renaming(path[...], to: Array(name.utf8)) else {
            throw .unexpected
        }
        bytes = edited
        return true
    }

    private func table() throws(TOMLEditError) -> TOMLTable {
        do throws(TOMLParseError) { return try TOMLTable(parsing: bytes) } catch { throw .malformed(error) }
    }

    private func outline() throws(TOMLEditError) -> TOMLOutline {
        do throws(TOMLParseError) { return try TOMLOutline(bytes) } catch { throw .malformed(error) }
    }

    // MARK: Setting

    private func placing(_ value: String, at path: [[UInt8]]) throws(TOMLEditError) -> [UInt8] {
        let outline = try outline()
        let text = Array(value.utf8)
        for section in outline.sections {
            if section.isArrayElement, path.starts(with: section.path) { throw .arrayOfTables }
            for pair in section.pairs where path.starts(with: pair.path) && !section.isArrayElement {
                return try replacing(pair, at: path, with: text)
            }
            // It is a table already, which a single value cannot replace.
            if section.path.starts(with: path) || section.pairs.contains(where: { $0.path.starts(with: path) }) { throw .isTable }
        }
        return inserting(text, at: path, outline)
    }

    private func replacing(_ pair: TOMLOutline.Pair, at path: [[UInt8]], with text: [UInt8]) throws(TOMLEditError) -> [UInt8] {
        if pair.path.count == path.count { return replacing(pair.value, with: text) }
        guard let members = pair.members else { throw .notATable }
        for member in members {
            if path.starts(with: member.path) { return try replacing(member, at: path, with: text) }
            if member.path.starts(with: path) { throw .isTable }
        }
        let rest = Self.written(path[pair.path.count...]) + Array(" = ".utf8) + text
        guard let last = members.last else { return replacing(pair.value, with: Array("{ ".utf8) + rest + Array(" }".utf8)) }
        return replacing(last.value.upperBound..<last.value.upperBound, with: Array(", ".utf8) + rest)
    }

    private func inserting(_ text: [UInt8], at path: [[UInt8]], _ outline: TOMLOutline) -> [UInt8] {
        let parent = path.dropLast()
        let usable = outline.sections.filter { !$0.isArrayElement }
        // A table made by dotted keys can be extended only by dotted keys in the same section.
        for section in usable where section.path.count < parent.count {
            guard let neighbour = section.pairs.last(where: { $0.path.starts(with: parent) }) else { continue }
            return inserting(line(path[section.path.count...], text), at: outline.lines(of: neighbour).upperBound)
        }
        if let section = usable.first(where: { $0.path.elementsEqual(parent) && !($0.path.isEmpty && $0.pairs.isEmpty) }) {
            let place = section.pairs.last.map { outline.lines(of: $0).upperBound } ?? section.header.upperBound
            return inserting(line(path.suffix(1), text), at: place)
        }
        // Above all headers; a comment at the start of the file belongs to what follows it.
        if parent.isEmpty {
            let rest: [UInt8] = bytes.isEmpty ? [] : newline
            return line(path[...], text) + rest + bytes
        }
        var end = bytes
        if let last = end.last, last != 0x0A { end += newline }
        if !end.isEmpty { end += newline }
        return end + Array("[".utf8) + Self.written(parent) + Array("]".utf8) + newline + line(path.suffix(1), text)
    }

    private func line(_ key: ArraySlice<[UInt8]>, _ text: [UInt8]) -> [UInt8] { Self.written(key) + Array(" = ".utf8) + text + newline }

    private func inserting(_ line: [UInt8], at place: Int) -> [UInt8] {
        // The file's last line may lack a newline.
        let gap = place > 0 && bytes[place - 1] != 0x0A ? newline : []
        return Array(bytes[..<place]) + gap + line + bytes[place...]
    }

    private func replacing(_ range: Range<Int>, with text: [UInt8]) -> [UInt8] {
        Array(bytes[..<range.lowerBound]) + text + bytes[range.upperBound...]
    }

    /// The newline of the file's first line.
    private var newline: [UInt8] {
        guard let end = bytes.firstIndex(of: 0x0A), end > 0, bytes[end - 1] == 0x0D else { return [0x0A] }
        return [0x0D, 0x0A]
    }

    // MARK: Renaming

    private func renaming(_ path: [[UInt8]], to new: [[UInt8]]) throws(TOMLEditError) -> [UInt8]? {
        var edits: [(Range<Int>, [UInt8])] = []
        func rename(_ pairs: [TOMLOutline.Pair], below prefix: Int) throws(TOMLEditError) {
            for pair in pairs {
                if pair.path.starts(with: path) {
                    // Below a renamed header or key, the name stands only there.
                    guard prefix < path.count else { continue }
                    edits.append((try key(at: pair.start), Self.written((new + pair.path[path.count...])[prefix...])))
                } else if path.starts(with: pair.path), let members = pair.members {
                    try rename(members, below: pair.path.count)
                }
            }
        }
        for section in try outline().sections {
            if section.isArrayElement {
                if section.path.starts(with: path) || path.starts(with: section.path) { throw .arrayOfTables }
                continue
            }
            if !section.path.isEmpty, section.path.starts(with: path) {
                guard let bracket = bytes[section.header].firstIndex(of: UInt8(ascii: "[")) else { throw .unexpected }
                edits.append((try key(at: bracket + 1), Self.written(new + section.path[path.count...])))
            }
            try rename(section.pairs, below: section.path.count)
        }
        guard !edits.isEmpty else { return nil }
        var edited = bytes
        for (range, text) in edits.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) { edited.replaceSubrange(range, with: text) }
        return edited
    }

    /// Where the dotted key stands that begins there, blanks aside.
    private func key(at start: Int) throws(TOMLEditError) -> Range<Int> {
        var parser = Parser(bytes, depthLimit: TOMLTable.defaultDepthLimit)
        parser.scanner.offset = start
        parser.scanner.skipBlanks()
        let first = parser.scanner.offset
        do throws(TOMLParseError) { _ = try parser.keyPath() } catch { throw .malformed(error) }
        var end = parser.scanner.offset
        while end > first, [0x09, 0x20].contains(bytes[end - 1]) { end -= 1 }
        return first..<end
    }

    // MARK: Taking out

    private func removing(_ path: [[UInt8]]) throws(TOMLEditError) -> [UInt8]? {
        let outline = try outline()
        var ranges: [Range<Int>] = []
        for (index, section) in outline.sections.enumerated() {
            if section.isArrayElement {
                // An array of tables is removed as a whole, or not at all.
                if section.path.count < path.count, path.starts(with: section.path) { throw .arrayOfTables }
            }
            if !section.path.isEmpty, section.path.starts(with: path) {
                let end = section.pairs.last.map { outline.lines(of: $0).upperBound } ?? section.header.upperBound
                ranges.append(section.header.lowerBound..<end)
                continue
            }
            if !section.path.isEmpty, !section.isArrayElement, !section.isCommented, !section.pairs.isEmpty,
                section.pairs.allSatisfy({ $0.path.starts(with: path) })
            {
                ranges.append(outline.lines(of: index))
                continue
            }
            for pair in section.pairs {
                if pair.path.starts(with: path) {
                    ranges.append(outline.lines(of: pair))
                } else if path.starts(with: pair.path), let members = pair.members {
                    ranges += Self.memberRanges(members, path)
                }
            }
        }
        guard !ranges.isEmpty else { return nil }
        var edited = bytes
        for range in ranges.sorted(by: { $0.lowerBound > $1.lowerBound }) { edited.removeSubrange(range) }
        return edited
    }

    /// The ranges to cut out of an inline table, commas included.
    private static func memberRanges(_ members: [TOMLOutline.Pair], _ path: [[UInt8]]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        let isCut = members.map { $0.path.starts(with: path) }
        for (index, member) in members.enumerated() {
            if isCut[index] {
                if isCut[..<index].contains(false) {
                    ranges.append(members[index - 1].value.upperBound..<member.value.upperBound)
                } else {
                    let end = index + 1 < members.count ? members[index + 1].start : member.value.upperBound
                    ranges.append(member.start..<end)
                }
            } else if path.starts(with: member.path), let inner = member.members {
                ranges += memberRanges(inner, path)
            }
        }
        return ranges
    }
}

/// Why a document was left unchanged.
public struct TOMLEditError: Error, Hashable, CustomStringConvertible {
    public let description: String

    private init(_ description: String) { self.description = description }

    static func malformed(_ error: TOMLParseError) -> Self { Self("\(error)") }
    static let noKey = Self("no key is named")
    static let notAValue = Self("that is not a TOML value")
    static let notATable = Self("a part of the key has a value that is not a table, so nothing can be added to it")
    static let isTable = Self("the key is a table; name a key in it, or remove the table first")
    static let arrayOfTables = Self("the key is in an array of tables, where its place is ambiguous; edit the file by hand")
    /// The edit would have changed something else.
    static let unexpected = Self("the file cannot be changed safely; edit it by hand")
}

extension TOMLText {
    /// The value that a text denotes; nil if it denotes none, or more than one.
    public static func value(_ text: String) -> TOMLValue? {
        let bytes = Array("v = \(text)".utf8)
        guard let table = try? TOMLTable(parsing: bytes), table.members.count == 1, let value = table["v"] else { return nil }
        // In an inline table, a comment would swallow what follows.
        guard let outline = try? TOMLOutline(bytes), outline.sections.count == 1, let pair = outline.sections[0].pairs.first,
            pair.value.upperBound == bytes.count
        else { return nil }
        return value
    }

    /// A string in the notation of a file.
    public static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case "\r": quoted += "\\r"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// A key in the notation of a file: bare if possible.
    public static func key(_ key: String) -> String { !key.isEmpty && key.utf8.allSatisfy(TOMLKey.isBareCharacter) ? key : quoted(key) }

    /// The parts of `a."b.c".d`.
    public static func path(_ text: String) -> [String]? {
        let bytes = Array(text.utf8)
        guard TextCheck.offence(in: bytes) == nil else { return nil }
        var parser = Parser(bytes, depthLimit: TOMLTable.defaultDepthLimit)
        guard let path = try? parser.keyPath(), parser.scanner.isAtEnd else { return nil }
        return path.parents.map(\.text) + [path.last.text]
    }

    private static func written(_ path: some Sequence<[UInt8]>) -> [UInt8] {
        Array(path.map { key(String(decoding: $0, as: UTF8.self)) }.joined(separator: ".").utf8)
    }
}

/// A value without its position, for comparison.
private indirect enum Plain: Equatable {
    case scalar(String)
    case array([Plain])
    case table([[UInt8]: Plain])

    init(_ table: TOMLTable) {
        self = .table(Dictionary(table.members.map { (Array($0.key.utf8), Plain($0.value)) }, uniquingKeysWith: { first, _ in first }))
    }

    init(_ value: TOMLValue) {
        switch value.content {
        case .string(let text): self = .scalar("s\(text)")
        case .integer(let number): self = .scalar("i\(number)")
        // Not compared as a number: nan does not equal itself.
        case .float(let number): self = .scalar("f\(number)")
        case .boolean(let flag): self = .scalar("b\(flag)")
        case .dateTime(let time): self = .scalar("d\(time.text)")
        case .array(let elements): self = .array(elements.map(Plain.init))
        case .table(let table): self = Plain(table)
        }
    }

    /// Recursion ends with the path.
    func setting(_ path: ArraySlice<[UInt8]>, to value: Plain) -> Plain {
        guard let key = path.first else { return value }
        guard case .table(var members) = self else { return self }
        members[key] = (members[key] ?? .table([:])).setting(path.dropFirst(), to: value)
        return .table(members)
    }

    func renaming(_ path: ArraySlice<[UInt8]>, to name: [UInt8]) -> Plain {
        guard let key = path.first, case .table(var members) = self, let member = members[key] else { return self }
        if path.count > 1 {
            members[key] = member.renaming(path.dropFirst(), to: name)
        } else {
            members[key] = nil
            members[name] = member
        }
        return .table(members)
    }

    func removing(_ path: ArraySlice<[UInt8]>) -> Plain {
        guard let key = path.first, case .table(var members) = self, let member = members[key] else { return self }
        members[key] = path.count == 1 ? nil : member.removing(path.dropFirst())
        return .table(members)
    }

    /// Without empty tables: a header with nothing left below it makes one, a removed dotted key leaves none.
    var pruned: Plain {
        guard case .table(let members) = self else { return self }
        return .table(members.mapValues(\.pruned).filter { $0.value != .table([:]) })
    }
}
