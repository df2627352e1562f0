/// Columns of text, each as wide as its widest cell; nothing after the last.
struct Table {
    private(set) var rows: [[String]] = []

    /// - Parameter cells: may come from outside; what could steer a terminal is taken out.
    mutating func add(_ cells: String...) { rows.append(cells.map(\.plain)) }

    var lines: [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].unicodeScalars.count : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                guard column < row.count - 1 else { break }
                line += String(repeating: " ", count: widths[column] - cell.unicodeScalars.count + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
