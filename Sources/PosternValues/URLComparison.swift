extension String {
    /// Whether two URLs are the same but for a slash at the end: programs add one, and leave it out.
    public func isSameURL(as other: String?) -> Bool {
        func bare(_ url: String) -> Substring.UTF8View { url.utf8.last == UInt8(ascii: "/") ? url.utf8.dropLast() : url.utf8[...] }
        return other.map { bare($0).elementsEqual(bare(self)) } ?? false
    }
}
