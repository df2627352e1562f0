extension LoopbackCallback {
    /// Longer than any address bar gives back.
    public static let longestRedirectURL = 16 * 1024

    /// A redirect that came by another way than HTTP: pasted from an address bar, or through a custom URL scheme
    /// (RFC 8252 section 7.1). The answer stands in the query, or in the fragment where there is no query.
    public init(redirectURL text: String) throws(CallbackParseError) {
        guard text.utf8.count <= Self.longestRedirectURL else { throw .tooLong(limit: Self.longestRedirectURL) }
        let url = text.drop { $0.isWhitespace }
        guard let colon = url.firstIndex(of: ":"), let first = url.first, first.isASCII, first.isLetter,
            url[..<colon].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { throw .notARedirectURL }
        var rest = url[url.index(after: colon)...]
        while rest.last?.isWhitespace == true { rest.removeLast() }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2).drop { !"/?#".contains($0) }
        }
        let fragmentMark = rest.firstIndex(of: "#") ?? rest.endIndex
        let queryMark = rest[..<fragmentMark].firstIndex(of: "?") ?? fragmentMark
        let path = rest[..<queryMark]
        let query = queryMark < fragmentMark ? rest[rest.index(after: queryMark)..<fragmentMark] : ""
        let fragment = fragmentMark < rest.endIndex ? rest[rest.index(after: fragmentMark)...] : ""
        let answer = query.isEmpty ? fragment : query
        guard !answer.isEmpty else { throw .noParameters }
        self.init(path: path.isEmpty ? "/" : String(path), parameters: try CallbackParameters(parsing: answer.utf8), method: .delivered)
    }
}
