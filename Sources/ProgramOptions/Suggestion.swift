/// Finds the name that was probably meant by an unknown one.
public enum Suggestion {
    /// - Parameter names: in the order of preference.
    /// - Returns: nil if no name is similar enough.
    public static func closest(to word: String, among names: [String]) -> String? {
        let meant = word.lowercased()
        guard !meant.isEmpty, meant.utf8.count <= 64 else { return nil }
        if let name = names.first(where: { $0.lowercased() == meant }) { return name }
        // `github` for `github.com`; too many names begin with a given letter or two.
        let begun = names.filter { $0.lowercased().utf8.starts(with: meant.utf8) }
        if meant.count > 2, let name = begun.min(by: { $0.count < $1.count }) { return name }
        // One typing error in a short word, two in a longer one.
        let slips = meant.count < 5 ? 1 : 2
        let near = names.map { (name: $0, distance: distance(meant, $0.lowercased())) }.filter { $0.distance <= slips }
        return near.min { $0.distance < $1.distance }?.name
    }

    /// The number of letters omitted, inserted, replaced or swapped with their neighbour.
    static func distance(_ one: String, _ other: String) -> Int {
        let (a, b) = (Array(one.utf8), Array(other.utf8))
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 1..<(a.count + 1) {
            var row = [i]
            for j in 1..<(b.count + 1) {
                var least = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { least = min(least, beforeLast[j - 2] + 1) }
                row.append(least)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
