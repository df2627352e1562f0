import PosternValues

/// What a server names in an answer: a URL, or a part of one that is meant from the request's URL on (RFC 3986 section 5.2).
struct URLReference {
    /// The whole URL, without a fragment.
    var url: String
    /// With its sign; empty if there is none.
    var fragment: String
    /// It was written without a scheme.
    var isRelative: Bool

    init(_ text: String, from base: EndpointURL) {
        let parts = URIParts(text)
        fragment = parts.fragment.map { "#\($0)" } ?? ""
        let whole = String(Substring(text.utf8.dropLast(fragment.utf8.count)))
        isRelative = parts.scheme == nil
        guard isRelative else {
            url = whole
            return
        }
        let query = parts.query.map { "?\($0)" } ?? ""
        if parts.authority != nil {
            url = "\(base.scheme.rawValue):\(whole)"
        } else if parts.path.isEmpty {
            url = base.origin + base.path + (parts.query == nil ? base.query.map { "?\($0)" } ?? "" : query)
        } else if parts.path.begins(with: "/") {
            url = base.origin + Self.withoutDots(String(parts.path)) + query
        } else {
            let folder = base.path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(base.path[...$0]) } ?? "/"
            url = base.origin + Self.withoutDots(folder + parts.path) + query
        }
    }

    /// RFC 3986 section 5.2.4.
    private static func withoutDots(_ path: String) -> String {
        let segments = path.parts(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var kept: [Substring] = []
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            let isParent = segment.utf8.elementsEqual("..".utf8)
            guard isParent || segment.utf8.elementsEqual(".".utf8) else {
                kept.append(segment)
                continue
            }
            if isParent { _ = kept.popLast() }
            if isLast { kept.append("") }
        }
        return "/" + kept.joined(separator: "/")
    }
}
