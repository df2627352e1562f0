/// A key as the parser found it.
struct ParsedKey {
    /// Compared byte for byte, as in TOML; `String` would treat two encodings of one letter as equal.
    var bytes: [UInt8]
    var position: TOMLPosition

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var shown: String { TOMLKey.shown(text) }
}

/// A table while the file is being read, with what TOML's rules on redefinition require.
final class TableNode {
    enum Origin: Equatable {
        /// Named only in the path of another: `a` in `[a.b]`. May still get its own header, once.
        case implicit
        /// Has its header, or is an element of an array of tables.
        case header
        /// Made by a dotted key of that section; only dotted keys of that section may add to it.
        case dotted(section: Int)
    }

    enum Entry {
        case value(TOMLValue)
        case table(TableNode)
        case tables(TableArrayNode)
    }

    var origin: Origin
    var position: TOMLPosition
    /// The number of containers around it.
    let depth: Int
    private var entries: [(key: ParsedKey, entry: Entry)] = []
    private var places: [[UInt8]: Int] = [:]

    init(origin: Origin, position: TOMLPosition, depth: Int) {
        self.origin = origin
        self.position = position
        self.depth = depth
    }

    subscript(key: ParsedKey) -> Entry? { places[key.bytes].map { entries[$0].entry } }

    /// The key must not exist yet.
    func add(_ entry: Entry, under key: ParsedKey) {
        places[key.bytes] = entries.count
        entries.append((key, entry))
    }

    /// The depth limit, which the parser checked, bounds the recursion.
    func finished() -> TOMLTable {
        TOMLTable(
            members: entries.map { key, entry in
                TOMLTable.Member(key: key.text, keyPosition: key.position, value: Self.finished(entry))
            })
    }

    private static func finished(_ entry: Entry) -> TOMLValue {
        switch entry {
        case .value(let value): value
        case .table(let table): TOMLValue(content: .table(table.finished()), position: table.position)
        case .tables(let array):
            TOMLValue(
                content: .array(array.elements.map { TOMLValue(content: .table($0.finished()), position: $0.position) }),
                position: array.position)
        }
    }
}

/// An array of tables while the file is being read; never empty.
final class TableArrayNode {
    let position: TOMLPosition
    private(set) var elements: [TableNode]
    private(set) var last: TableNode

    init(first: TableNode, position: TOMLPosition) {
        self.position = position
        elements = [first]
        last = first
    }

    func append(_ table: TableNode) {
        elements.append(table)
        last = table
    }
}
