/// The standard library can also find a string in a string, but with its regular expressions, which add 1.3 MB to a program.
extension StringProtocol {
    /// Whether the text contains the bytes of `text`. Every text contains the empty one.
    public func holds(_ text: String) -> Bool { range(ofText: text) != nil }

    /// Where the bytes of `text` first occur.
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
    /// Replaces the first occurrence; the standard library's `replacing` replaces them all.
    package func replacingFirst(_ text: String, with other: String) -> String {
        guard let range = range(ofText: text) else { return self }
        return self[..<range.lowerBound] + other + self[range.upperBound...]
    }
}
