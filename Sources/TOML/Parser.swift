extension TOMLTable {
    /// No legitimate configuration is larger, and what is read into memory needs a limit.
    public static let defaultSizeLimit = 1 << 20
    /// Far deeper than any real nesting, and far below what the parser's stack can take.
    public static let defaultDepthLimit = 64

    /// Reads a TOML 1.0 document (https://toml.io/en/v1.0.0).
    ///
    /// - Parameters:
    ///   - sizeLimit: in bytes.
    ///   - depthLimit: the depth of nested tables and arrays.
    /// - Throws: the first error in the text.
    public init(
        parsing bytes: [UInt8], sizeLimit: Int = TOMLTable.defaultSizeLimit, depthLimit: Int = TOMLTable.defaultDepthLimit
    ) throws(TOMLParseError) {
        guard bytes.count <= sizeLimit else {
            throw TOMLParseError(reason: .tooLarge(limit: sizeLimit), position: TOMLPosition(line: 1, column: 1))
        }
        var parser = Parser(bytes, depthLimit: depthLimit)
        self = try parser.document()
    }
}

/// Recursive descent over bytes; the depth limit bounds the recursion.
struct Parser {
    var scanner: Scanner
    let depthLimit: Int
    private let root = TableNode(origin: .header, position: TOMLPosition(line: 1, column: 1), depth: 0)
    private var current: TableNode
    /// Counts headers: dotted keys may only add to tables made under the same header.
    private var section = 0

    init(_ bytes: [UInt8], depthLimit: Int) {
        scanner = Scanner(bytes)
        self.depthLimit = depthLimit
        current = root
    }

    mutating func document() throws(TOMLParseError) -> TOMLTable {
        if let offence = TextCheck.offence(in: scanner.bytes) {
            throw scanner.failure(offence.reason, at: offence.offset)
        }
        while !scanner.isAtEnd {
            scanner.skipBlanks()
            switch scanner.peek() {
            case nil, 0x0A, 0x0D, UInt8(ascii: "#"): break
            case UInt8(ascii: "["): try header()
            default: try keyAndValue(into: current, section: section)
            }
            try endOfLine()
        }
        return root.finished()
    }

    private mutating func endOfLine() throws(TOMLParseError) {
        scanner.skipBlanks()
        scanner.skipComment()
        guard scanner.takeNewline() || scanner.isAtEnd else { throw scanner.failure(.expectedLineEnd) }
    }

    /// `[a.b]` or `[[a.b]]`
    private mutating func header() throws(TOMLParseError) {
        let position = scanner.position()
        let isArray = scanner.take("[[")
        if !isArray { scanner.offset += 1 }
        let path = try keyPath()
        guard isArray ? scanner.take("]]") : scanner.take("]") else { throw scanner.failure(.unterminatedHeader) }
        section += 1
        var table = root
        for key in path.parents { table = try descend(from: table, to: key) }
        current = try isArray ? append(to: table, under: path.last, at: position) : define(in: table, under: path.last, at: position)
    }

    /// A step on the path to the table that a header names.
    private func descend(from table: TableNode, to key: ParsedKey) throws(TOMLParseError) -> TableNode {
        switch table[key] {
        case nil:
            let child = try child(of: table, origin: .implicit, at: key.position)
            table.add(.table(child), under: key)
            return child
        case .table(let child): return child
        case .tables(let array): return array.last
        case .value(let value): throw refusal(of: value, under: key)
        }
    }

    private func define(in table: TableNode, under key: ParsedKey, at position: TOMLPosition) throws(TOMLParseError) -> TableNode {
        switch table[key] {
        case nil:
            let child = try child(of: table, origin: .header, at: position)
            table.add(.table(child), under: key)
            return child
        case .table(let child) where child.origin == .implicit:
            child.origin = .header
            child.position = position
            return child
        default: throw TOMLParseError(reason: .duplicateTable(key.shown), position: key.position)
        }
    }

    private func append(to table: TableNode, under key: ParsedKey, at position: TOMLPosition) throws(TOMLParseError) -> TableNode {
        let child = try child(of: table, origin: .header, at: position, levels: 2)
        switch table[key] {
        case nil: table.add(.tables(TableArrayNode(first: child, position: position)), under: key)
        case .tables(let array): array.append(child)
        default: throw TOMLParseError(reason: .notAnArrayOfTables(key.shown), position: key.position)
        }
        return child
    }

    /// One `key = value`, in a section or in an inline table.
    mutating func keyAndValue(into table: TableNode, section: Int) throws(TOMLParseError) {
        let path = try keyPath()
        guard scanner.take("=") else { throw scanner.failure(.expectedEquals) }
        var table = table
        for key in path.parents { table = try extend(table, with: key, section: section) }
        switch table[path.last] {
        case nil: break
        case .value: throw TOMLParseError(reason: .duplicateKey(path.last.shown), position: path.last.position)
        case .table, .tables: throw TOMLParseError(reason: .duplicateTable(path.last.shown), position: path.last.position)
        }
        scanner.skipBlanks()
        table.add(.value(try value(depth: table.depth + 1)), under: path.last)
    }

    /// A step along a dotted key.
    private func extend(_ table: TableNode, with key: ParsedKey, section: Int) throws(TOMLParseError) -> TableNode {
        switch table[key] {
        case nil:
            let child = try child(of: table, origin: .dotted(section: section), at: key.position)
            table.add(.table(child), under: key)
            return child
        case .table(let child) where child.origin == .implicit || child.origin == .dotted(section: section):
            child.origin = .dotted(section: section)
            return child
        case .table, .tables: throw TOMLParseError(reason: .closedTable(key.shown), position: key.position)
        case .value(let value): throw refusal(of: value, under: key)
        }
    }

    private func refusal(of value: TOMLValue, under key: ParsedKey) -> TOMLParseError {
        switch value.content {
        case .table, .array: TOMLParseError(reason: .closedTable(key.shown), position: key.position)
        default: TOMLParseError(reason: .notATable(key.shown), position: key.position)
        }
    }

    func child(
        of table: TableNode, origin: TableNode.Origin, at position: TOMLPosition, levels: Int = 1
    ) throws(TOMLParseError) -> TableNode {
        let depth = table.depth + levels
        guard depth <= depthLimit else { throw TOMLParseError(reason: .tooDeep(limit: depthLimit), position: position) }
        return TableNode(origin: origin, position: position, depth: depth)
    }
}
