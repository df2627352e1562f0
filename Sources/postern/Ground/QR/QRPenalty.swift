/// How hard a masked code is to read; the mask with the fewest points is used (ISO/IEC 18004, section 7.8.3.1).
enum QRPenalty {
    static func score(of matrix: QRMatrix) -> Int {
        let rows = (0..<matrix.size).map { y in (0..<matrix.size).map { matrix[$0, y] } }
        let columns = (0..<matrix.size).map { x in (0..<matrix.size).map { matrix[x, $0] } }
        return (rows + columns).reduce(0) { $0 + runs(in: $1) + finders(in: $1) } + squares(in: rows) + balance(of: rows)
    }

    /// Five or more of one colour in a line.
    private static func runs(in line: [Bool]) -> Int {
        var points = 0
        var length = 0
        var colour: Bool?
        for module in line {
            length = module == colour ? length + 1 : 1
            colour = module
            if length == 5 { points += 3 } else if length > 5 { points += 1 }
        }
        return points
    }

    /// Patterns like a finder pattern with four light modules on one side.
    private static func finders(in line: [Bool]) -> Int {
        let finder = [true, false, true, true, true, false, true]
        let light = [false, false, false, false]
        var points = 0
        for start in 0..<max(0, line.count - 10) {
            let part = line[start..<start + 11]
            if part.elementsEqual(finder + light) || part.elementsEqual(light + finder) { points += 40 }
        }
        return points
    }

    /// Two by two of one colour.
    private static func squares(in rows: [[Bool]]) -> Int {
        var points = 0
        for y in 1..<rows.count {
            for x in 1..<rows.count {
                let colour = rows[y][x]
                if rows[y - 1][x] == colour, rows[y][x - 1] == colour, rows[y - 1][x - 1] == colour { points += 3 }
            }
        }
        return points
    }

    /// Ten points for each five per cent by which the share of dark modules differs from half.
    private static func balance(of rows: [[Bool]]) -> Int {
        let total = rows.count * rows.count
        let dark = rows.reduce(0) { $0 + $1.count { $0 } }
        return abs(dark * 20 - total * 10) / total * 10
    }
}
