/// Columns of text, each as wide as its widest cell, without padding after the last.
struct Table {
    private(set) var rows: [[String]] = []
    /// Of the columns, for a part of a longer table.
    var leastWidths: [Int] = []

    /// - Parameter cells: may come from outside; characters that act on the terminal are removed.
    mutating func add(_ cells: String...) { add(cells) }

    mutating func add(_ cells: [String]) { rows.append(cells.map(\.plain)) }

    var lines: [String] {
        let widths = widths
        return rows.map { line(of: $0, widths) }
    }

    /// The lines for a terminal of that width, with the last column truncated if necessary; nil if less than a word of it would be left.
    ///
    /// - Parameter leastOfLast: the least width at which the last column is useful.
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

    /// A table with a line of headings, for a terminal of that width: rows, or a paragraph each if they do not fit.
    ///
    /// - Parameters:
    ///   - width: nil for no limit.
    ///   - cutsLast: the last column is useful even if truncated.
    func listing(within width: Int?, cutsLast: Bool = true) -> [String] {
        guard let width else { return lines }
        if let lines = lines(within: width, leastOfLast: cutsLast ? 12 : .max) { return lines }
        guard let headings = rows.first else { return [] }
        return rows.dropFirst().flatMap { row in
            var paragraph = Table()
            // The paragraph omits columns that are empty in this row.
            for (heading, cell) in zip(headings, row).dropFirst() where !["", "-"].contains(cell) {
                paragraph.add("  " + heading.lowercased(), cell)
            }
            return row.prefix(1) + paragraph.facts(within: width)
        }
    }

    /// Names and their values, for a terminal of that width: a value that is too long continues below its beginning, or below its name.
    ///
    /// A single word that is longer than a line is not broken, so that it can be copied.
    func facts(within width: Int?) -> [String] {
        let widths = widths
        guard let width, let column = widths.first.map({ $0 + Self.gap }) else { return lines }
        return rows.flatMap { row -> [String] in
            let value = row.dropFirst().joined(separator: " ")
            guard column + value.columns > width, let name = row.first else { return [line(of: row, widths)] }
            let words = value.parts(separator: " ")
            if column + (words.map { String($0).columns }.max() ?? 0) <= width, width - column >= Self.leastOfValue {
                let first = name + String(repeating: " ", count: column - name.columns)
                return Prose.lines(of: value, width: width - column).enumerated().map { index, line in
                    (index == 0 ? first : String(repeating: " ", count: column)) + line
                }
            }
            let indent = String(repeating: " ", count: name.utf8.prefix { $0 == UInt8(ascii: " ") }.count + Self.gap)
            return [name] + Prose.lines(of: value, width: width - indent.count).map { indent + $0 }
        }
    }

    private static let gap = 2
    /// The fewest columns beside the names in which a sentence is still readable.
    private static let leastOfValue = 16

    var widths: [Int] {
        let own = (0..<(rows.map(\.count).max() ?? 0)).map { column in rows.map { column < $0.count ? $0[column].columns : 0 }.max() ?? 0 }
        return Self.widest(leastWidths, own)
    }

    static func widest(_ widths: [Int], _ others: [Int]) -> [Int] {
        let (short, long) = widths.count < others.count ? (widths, others) : (others, widths)
        return long.enumerated().map { $0.offset < short.count ? max($0.element, short[$0.offset]) : $0.element }
    }

    private func line(of row: [String], _ widths: [Int]) -> String {
        var line = ""
        for (column, cell) in row.enumerated() {
            line += cell
            guard column < row.count - 1 else { break }
            line += String(repeating: " ", count: widths[column] - cell.columns + Self.gap)
        }
        while line.unicodeScalars.last == " " { line.removeLast() }
        return line
    }
}
