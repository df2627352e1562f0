/// The standard library can also find a string in a string, but with its regular expressions, which add 1.3 MB to a program.
extension StringProtocol {
    /// Whether the text contains the bytes of `text`. Every text contains the empty one.
    public func holds(_ text: String) -> Bool { range(ofText: text) != nil }

    /// Whether the texts have the same bytes. Two forms of one letter are equal as strings, and may be in two people's names.
    public func isSame(_ text: some StringProtocol) -> Bool { utf8.elementsEqual(text.utf8) }

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

extension Hasher {
    /// For texts that ``Swift/StringProtocol/isSame(_:)`` compares.
    public mutating func combine(bytesOf text: String) {
        var text = text
        // One call: byte by byte it takes many times as long.
        text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
        combine(text.utf8.count)
    }
}

/// Text that another program reads is compared by Unicode scalars, or by bytes. The standard library compares characters, and a combining
/// mark makes another character of the one before it: `"@\u{301}x"` does not begin with `"@"` then, but curl reads a file. A test refuses
/// what compares characters, and says where they may be (docs/inside/decisions/text.md).
extension StringProtocol {
    @inlinable
    public func begins(with text: some StringProtocol) -> Bool { utf8.starts(with: text.utf8) }

    @inlinable
    public func ends(with text: some StringProtocol) -> Bool {
        let extra = utf8.count - text.utf8.count
        return extra >= 0 && utf8.dropFirst(extra).elementsEqual(text.utf8)
    }

    /// What follows the text at the beginning; nil if this does not begin with it.
    @inlinable
    public func rest(after text: some StringProtocol) -> SubSequence? {
        begins(with: text) ? self[utf8.index(startIndex, offsetBy: text.utf8.count)...] : nil
    }

    /// What precedes the first such scalar; everything if there is none.
    @inlinable
    public func before(_ isEnd: (Unicode.Scalar) -> Bool) -> SubSequence {
        self[..<(unicodeScalars.firstIndex(where: isEnd) ?? endIndex)]
    }

    /// What follows the scalars at the beginning that are skipped.
    @inlinable
    public func skipping(_ isSkipped: (Unicode.Scalar) -> Bool) -> SubSequence {
        self[(unicodeScalars.firstIndex { !isSkipped($0) } ?? endIndex)...]
    }

    /// What follows the place of one scalar.
    @inlinable
    public func after(_ index: Index) -> SubSequence { self[unicodeScalars.index(after: index)...] }

    @inlinable
    public func parts(
        separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [SubSequence] {
        parts(maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences) { $0 == separator }
    }

    @inlinable
    public func parts(
        maxSplits: Int = .max, omittingEmptySubsequences: Bool = true, where isSeparator: (Unicode.Scalar) -> Bool
    ) -> [SubSequence] {
        unicodeScalars.split(maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences, whereSeparator: isSeparator)
            .map { self[$0.startIndex..<$0.endIndex] }
    }
}

extension String {
    /// Only the scalars for which it is true.
    public func keeping(_ isKept: (Unicode.Scalar) -> Bool) -> String {
        var kept = String.UnicodeScalarView()
        kept.append(contentsOf: unicodeScalars.lazy.filter(isKept))
        return String(kept)
    }

    /// With each scalar replaced by a text.
    public func mapping(_ replacement: (Unicode.Scalar) -> String) -> String {
        unicodeScalars.reduce(into: "") { $0 += replacement($1) }
    }

    /// Replaces the first occurrence.
    package func replacingFirst(_ text: String, with other: String) -> String {
        guard let range = range(ofText: text) else { return self }
        return self[..<range.lowerBound] + other + self[range.upperBound...]
    }
}
