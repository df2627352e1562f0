/// Finds the key that a mistyped one was probably meant to be.
enum Spelling {
    /// The nearest by edit distance; nil if none is near enough to suggest.
    static func nearest(to word: String, in known: [String]) -> String? {
        // No key is half as long, and the cost of the comparison grows quadratically.
        guard word.utf8.count <= 64 else { return nil }
        let plain = plain(word)
        let ranked = known.map { (key: $0, distance: distance(plain, Self.plain($0))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, min(3, plain.count / 3)) ? best.key : nil
    }

    /// `client_id` and `clientID` for `client-id` are commoner mistakes than mistyped letters.
    private static func plain(_ word: String) -> [UInt8] {
        word.lowercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
    }

    /// The number of letters inserted, deleted, replaced or swapped with their neighbour (optimal string alignment).
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var older: [Int] = []
        var previous = Array(0...right.count)
        for row in 1...left.count {
            var current = [row]
            for column in 1...right.count {
                let replacement = previous[column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
                var best = min(replacement, previous[column] + 1, current[column - 1] + 1)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    best = min(best, older[column - 2] + 1)
                }
                current.append(best)
            }
            older = previous
            previous = current
        }
        return previous[right.count]
    }
}
