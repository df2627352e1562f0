import PosternValues

/// `METHOD SP target SP HTTP/1.x` (RFC 9112 section 3), with one space between each and nothing else.
struct RequestLine {
    /// In origin form, or `*`.
    var target: String
    /// Of a target in absolute form.
    var authority: String?
    /// 0 or 1, of HTTP/1.x.
    var minorVersion: Int

    init(_ line: [UInt8]) throws(RequestFault) {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw .malformed("the request line is not a method, a target and a version")
        }
        guard parts[0].allSatisfy(\.isTokenCharacter) else { throw .malformed("the method is not a token") }
        if parts[2].elementsEqual("HTTP/1.1".utf8) {
            minorVersion = 1
        } else if parts[2].elementsEqual("HTTP/1.0".utf8) {
            minorVersion = 0
        } else {
            throw .malformed("the version is neither HTTP/1.0 nor HTTP/1.1")
        }
        let text = String(decoding: parts[1], as: UTF8.self)
        guard !text.utf8.contains(UInt8(ascii: "#")) else { throw .malformed("the target holds a fragment") }
        (authority, target) = try Self.split(text, isOptions: parts[0].elementsEqual("OPTIONS".utf8))
    }

    private static func split(_ text: String, isOptions: Bool) throws(RequestFault) -> (authority: String?, target: String) {
        if text.begins(with: "/") || (text == "*" && isOptions) { return (nil, text) }
        let lowercased = text.lowercased()
        for scheme in ["http://", "https://"] where lowercased.begins(with: scheme) {
            let rest = Substring(text.utf8.dropFirst(scheme.utf8.count))
            let end = rest.unicodeScalars.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            let path = rest[end...]
            guard end != rest.startIndex else { break }
            return (String(rest[..<end]), path.begins(with: "/") ? String(path) : "/" + path)
        }
        throw .malformed("the target is neither a path nor an http URL")
    }
}
