/// The standard library looks for a string in a string, too, but with its regular expressions, which are 1.3 MB of a program.
extension StringProtocol {
    /// Whether the bytes of `text` stand in it one after the other. Every text holds the empty one.
    public func holds(_ text: String) -> Bool { range(ofText: text) != nil }

    /// Where the bytes of `text` first stand in it one after the other.
    public func range(ofText text: String) -> Range<Index>? {
        let text = text.utf8
        guard let first = text.first else { return startIndex..<startIndex }
        var rest = utf8[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: text) { return start..<rest.index(start, offsetBy: text.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}

extension String {
    /// The first occurrence replaced; the standard library's `replacing` takes them all.
    package func replacingFirst(_ text: String, with other: String) -> String {
        guard let range = range(ofText: text) else { return self }
        return self[..<range.lowerBound] + other + self[range.upperBound...]
    }
}
