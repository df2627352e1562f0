/// A table of any length, which is made and written a part at a time: of each row only the widths of its cells are kept.
struct LongTable {
    /// The rows that are in memory at once.
    static let part = 512

    let headings: [String]
    let count: Int
    let row: (Int) -> [String]

    /// - Parameters:
    ///   - width: as in ``Table/listing(within:cutsLast:)``.
    ///   - write: takes the lines of one part.
    func write(within width: Int?, _ write: ([String]) throws -> Void) rethrows {
        var widths: [Int] = []
        for start in stride(from: 0, to: count, by: Self.part) { widths = Table.widest(widths, part(from: start).widths) }
        for start in stride(from: 0, to: count, by: Self.part) {
            var part = part(from: start)
            part.leastWidths = widths
            let lines = part.listing(within: width)
            // Every part has the headings, which stand only above the first; paragraphs have none.
            let hasHeadings = width.map { part.lines(within: $0) != nil } ?? true
            try write(start > 0 && hasHeadings ? Array(lines.dropFirst()) : lines)
        }
    }

    private func part(from start: Int) -> Table {
        var table = Table()
        table.add(headings)
        for index in start..<min(start + Self.part, count) { table.add(row(index)) }
        return table
    }
}
