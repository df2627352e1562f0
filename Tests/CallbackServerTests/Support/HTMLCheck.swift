import PosternCore
import PosternCrypto
import Testing

/// Holds a page against the rules that matter for what it is built of: every element that was opened is closed in its turn, and
/// no markup character stands loose.
enum HTMLCheck {
    private static let void: Set<String> = ["meta", "link", "input", "br"]

    static func check(_ html: String, name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        var open: [String] = []
        var rest = html[...]
        while let start = rest.firstIndex(of: "<") {
            let text = rest[..<start]
            #expect(
                !text.contains(">") || open.last == "style" || open.last == "script", "\(name): a loose >", sourceLocation: sourceLocation)
            let end = try #require(rest[start...].firstIndex(of: ">"), "\(name): a tag that does not end", sourceLocation: sourceLocation)
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("!") { continue }
            let element = tag.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased()
            if tag.hasPrefix("/") {
                #expect(open.popLast() == element, "\(name): </\(element)>", sourceLocation: sourceLocation)
            } else if !tag.hasSuffix("/"), !void.contains(element) {
                open.append(element)
            }
            if element == "style" || element == "script", !tag.hasPrefix("/") {
                // Raw text up to its own end tag.
                let close = try #require(rest.range(of: "</\(element)>"), sourceLocation: sourceLocation)
                rest = rest[close.lowerBound...]
            }
        }
        #expect(open.isEmpty, "\(name): left open: \(open)", sourceLocation: sourceLocation)
    }

    /// In base64, as a Content Security Policy writes it.
    static func sha256(_ text: String) throws -> String {
        let encoded = Base64URL.encode(OpenSSLCryptography().sha256(Array(text.utf8)))
        return encoded.replacing("-", with: "+").replacing("_", with: "/") + "="
    }
}
