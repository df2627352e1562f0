/// Columns of text, each as wide as its widest cell; nothing after the last.
struct Table {
    private(set) var rows: [[String]] = []

    /// - Parameter cells: may come from outside; what could steer a terminal is taken out.
    mutating func add(_ cells: String...) { add(cells) }

    mutating func add(_ cells: [String]) { rows.append(cells.map(\.plain)) }

    var lines: [String] { rows.map { line(of: $0, widths) } }

    /// The lines for a terminal of that width, with the last column cut where it must be; nil where less than a word of it would be left.
    ///
    /// - Parameter leastOfLast: how many columns of the last one are worth showing.
    func lines(within width: Int, leastOfLast: Int = 12) -> [String]? {
        let widths = widths
        guard let last = widths.last else { return [] }
        let left = width - widths.dropLast().reduce(0) { $0 + $1 + Self.gap }
        guard left >= min(last, leastOfLast) else { return nil }
        return rows.map { row in
            guard row.count == widths.count else { return line(of: row, widths) }
            return line(of: row.dropLast() + [row[row.count - 1].cut(to: left)], widths)
        }
    }

    private static let gap = 2

    private var widths: [Int] {
        (0..<(rows.map(\.count).max() ?? 0)).map { column in rows.map { column < $0.count ? $0[column].columns : 0 }.max() ?? 0 }
    }

    private func line(of row: [String], _ widths: [Int]) -> String {
        var line = ""
        for (column, cell) in row.enumerated() {
            line += cell
            guard column < row.count - 1 else { break }
            line += String(repeating: " ", count: widths[column] - cell.columns + Self.gap)
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}
