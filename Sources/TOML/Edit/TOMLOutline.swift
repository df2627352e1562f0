/// The positions of a document's parts, in bytes: what an edit needs to leave everything else unchanged.
struct TOMLOutline {
    /// One `key = value` of a section or of an inline table.
    struct Pair {
        /// From the root of the document.
        var path: [[UInt8]]
        /// The position of the key's first byte.
        var start: Int
        var value: Range<Int>
        /// The members, if the value is an inline table.
        var members: [Pair]?
    }

    /// A header and what follows it, up to the next one; the first has no header.
    struct Section {
        var path: [[UInt8]]
        /// `[[…]]`, or below one.
        var isArrayElement: Bool
        /// The line of the header; empty for the part before the first header.
        var header: Range<Int>
        var pairs: [Pair] = []
        /// There is a comment directly above the header, beside it, or on a line of its own below it.
        var isCommented = false
    }

    private(set) var sections: [Section] = []
    let bytes: [UInt8]

    /// - Parameter bytes: a whole document that ``TOMLTable`` has accepted.
    init(_ bytes: [UInt8]) throws(TOMLParseError) {
        self.bytes = bytes
        var parser = Parser(bytes, depthLimit: TOMLTable.defaultDepthLimit)
        var arrays: [[[UInt8]]] = []
        sections.append(Section(path: [], isArrayElement: false, header: 0..<0))
        // What follows decides whose comments they are: those directly above a header belong to its section.
        var endsInComment = false
        func commentWasOfSection() {
            if endsInComment { sections[sections.count - 1].isCommented = true }
            endsInComment = false
        }
        while !parser.scanner.isAtEnd {
            let start = parser.scanner.offset
            parser.scanner.skipBlanks()
            switch parser.scanner.peek() {
            case UInt8(ascii: "#"):
                endsInComment = true
                Self.skipLine(&parser.scanner)
            case nil, 0x0A, 0x0D:
                commentWasOfSection()
                Self.skipLine(&parser.scanner)
            case UInt8(ascii: "["):
                let isArray = parser.scanner.take("[[")
                if !isArray { parser.scanner.offset += 1 }
                let path = try parser.keyPath().all
                if isArray { arrays.append(path) }
                let isCommented = Self.hasCommentAfterHeader(parser.scanner) || endsInComment
                endsInComment = false
                Self.skipLine(&parser.scanner)
                let isArrayElement = arrays.contains { path.starts(with: $0) }
                sections.append(
                    Section(path: path, isArrayElement: isArrayElement, header: start..<parser.scanner.offset, isCommented: isCommented))
            default:
                commentWasOfSection()
                let pair = try Self.pair(below: sections[sections.count - 1].path, &parser)
                sections[sections.count - 1].pairs.append(pair)
                Self.skipLine(&parser.scanner)
            }
        }
        commentWasOfSection()
    }

    /// From the end of the header's key.
    private static func hasCommentAfterHeader(_ scanner: Scanner) -> Bool {
        var scanner = scanner
        while scanner.take("]") {}
        scanner.skipBlanks()
        return scanner.peek() == UInt8(ascii: "#")
    }

    /// From a header to the next one, without the blank lines above it if nothing follows.
    func lines(of index: Int) -> Range<Int> {
        let last = sections[index].pairs.last.map { lines(of: $0).upperBound } ?? sections[index].header.upperBound
        var (start, end) = (sections[index].header.lowerBound, last)
        while end < bytes.count, Self.isBlank(bytes[end]) { end += 1 }
        // The blanks before a key or a comment belong to it.
        while end > last, end < bytes.count, bytes[end - 1] != 0x0A { end -= 1 }
        while end == bytes.count, let above = blankLine(above: start) { start = above }
        return start..<end
    }

    /// The start of the line above the given one; nil if that line is not blank, or if there is none.
    private func blankLine(above start: Int) -> Int? {
        guard start > 0 else { return nil }
        var above = start - 1
        while above > 0, bytes[above - 1] != 0x0A { above -= 1 }
        return bytes[above..<start].allSatisfy(Self.isBlank) ? above : nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0D, 0x20].contains(byte) }

    /// The whole lines of a pair, with its comment and the newline.
    func lines(of pair: Pair) -> Range<Int> {
        var start = pair.start
        while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
        var scanner = Scanner(bytes)
        scanner.offset = pair.value.upperBound
        Self.skipLine(&scanner)
        return start..<scanner.offset
    }

    private static func pair(below path: [[UInt8]], _ parser: inout Parser) throws(TOMLParseError) -> Pair {
        parser.scanner.skipBlanks()
        let start = parser.scanner.offset
        let key = try parser.keyPath().all
        guard parser.scanner.take("=") else { throw parser.scanner.failure(.expectedEquals) }
        parser.scanner.skipBlanks()
        let valueStart = parser.scanner.offset
        let members = parser.scanner.peek() == UInt8(ascii: "{") ? try members(below: path + key, parser) : nil
        _ = try parser.value(depth: 1)
        return Pair(path: path + key, start: start, value: valueStart..<parser.scanner.offset, members: members)
    }

    /// Reads ahead on a copy. Each level is read once for each level around it, of which the depth limit allows few.
    private static func members(below path: [[UInt8]], _ parser: Parser) throws(TOMLParseError) -> [Pair] {
        var parser = parser
        parser.scanner.offset += 1
        parser.scanner.skipBlanks()
        var members: [Pair] = []
        while !parser.scanner.sees("}"), !parser.scanner.isAtEnd {
            members.append(try pair(below: path, &parser))
            parser.scanner.skipBlanks()
            guard parser.scanner.take(",") else { break }
            parser.scanner.skipBlanks()
        }
        return members
    }

    private static func skipLine(_ scanner: inout Scanner) {
        while let byte = scanner.peek(), byte != 0x0A { scanner.offset += 1 }
        _ = scanner.takeNewline()
    }
}

extension KeyPath {
    fileprivate var all: [[UInt8]] { (parents + [last]).map(\.bytes) }
}
