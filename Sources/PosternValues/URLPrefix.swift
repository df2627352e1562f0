/// A URL that tokens are for, with everything below it: an origin, and optionally a path of whole segments.
///
/// Compared exactly: scheme, host in lower case, port (by default the scheme's), then segment by segment. Hosts that are not ASCII are
/// rejected: which name a program looks up for one depends on its IDNA rules, and the token would be sent there.
public struct URLPrefix: Sendable, Hashable {
    /// The longest URL that can be asked about, in bytes.
    public static let longestURL = 8192

    /// As configured.
    public let text: String
    private let origin: EndpointURL
    /// Without an empty one at the end: `https://example.com/a/` and `https://example.com/a` are equal.
    private let segments: [Substring]
    /// If it has one, only the URL with this query is covered, and nothing below.
    private var query: String?

    /// An MCP server's URL, which may have a query: some servers tell their customers apart by it.
    public init(server url: EndpointURL) throws(EndpointURLError) {
        try self.init(url.query == nil ? url.text : url.origin + url.path)
        query = url.query
    }

    /// - Throws: what is wrong, as a sentence that continues after the key's name.
    public init(_ text: String) throws(EndpointURLError) {
        let url = try EndpointURL(text)
        guard url.query == nil else { throw .query }
        guard var segments = Self.segments(of: url) else { throw .dotSegment }
        if segments.last?.isEmpty == true { segments.removeLast() }
        self.text = text
        origin = url
        self.segments = segments
    }

    /// For built-in URLs.
    package static func all(_ texts: [String]) -> [URLPrefix] {
        texts.compactMap { text in
            var prefix = try? URLPrefix(text)
            prefix?.isBuiltIn = true
            return prefix
        }
    }

    /// The user did not choose it: it is not from the configuration, or only repeats what is built in.
    public private(set) var isBuiltIn = false

    /// The same, and built in if it is one of these: to repeat what is built in, as a list must that adds to it, chooses nothing.
    public func repeating(_ builtIn: [URLPrefix]) -> URLPrefix {
        builtIn.first { $0.isBuiltIn && $0.origin.hasSameOrigin(as: origin) && $0.segments == segments } ?? self
    }

    /// How closely it matches a URL that it covers: the number of segments. Nil if it does not cover it.
    public func closeness(to url: AskedURL) -> Int? {
        guard origin.hasSameOrigin(as: url.url), url.segments.starts(with: segments) else { return nil }
        guard let query else { return segments.count }
        let length = url.segments.last?.isEmpty == true ? url.segments.count - 1 : url.segments.count
        return url.url.query == query && length == segments.count ? segments.count + 1 : nil
    }

    /// Whether it is on the same host, whatever the scheme, the port and the path.
    public func isOnHost(of url: AskedURL) -> Bool { origin.host == url.host }

    /// A URL that a program wants to send a token to.
    public struct AskedURL: Sendable {
        let url: EndpointURL
        let segments: [Substring]

        /// - Throws: if no token can be for it, whatever is configured: no `https` (except to this machine), a user name before the host, a
        ///   path that leads somewhere else than it appears to.
        public init(_ text: String) throws(EndpointURLError) {
            url = try EndpointURL(text, longest: URLPrefix.longestURL)
            guard let segments = URLPrefix.segments(of: url) else { throw .dotSegment }
            self.segments = segments
        }

        /// As asked about.
        public var text: String { url.text }
        /// For messages.
        public var origin: String { url.origin }
        /// In lower case.
        public var host: String { url.host }
    }

    /// Nil for a path with a segment `.` or `..`, however disguised: percent-encoded, repeatedly, after an encoded slash, before a
    /// semicolon or a NUL, among blanks, in overlong UTF-8. Servers differ in how they treat those.
    package static func segments(of url: EndpointURL) -> [Substring]? {
        let segments = Substring(url.path.utf8.dropFirst()).parts(separator: "/", omittingEmptySubsequences: false)
        return segments.contains(where: holdsDotSegment) ? nil : segments
    }

    /// A `.`, a slash and a semicolon are part of no escape, so a segment visible in any layer is still visible when all are decoded.
    private static func holdsDotSegment(_ segment: Substring) -> Bool {
        let text = shortening(PercentEncoding.decodeAll(segment.utf8))
        return text.split { "/\\\0".utf8.contains($0) }.contains { part in
            let name = part.prefix { $0 != UInt8(ascii: ";") }.filter { $0 > UInt8(ascii: " ") && $0 != 0x7F }
            return name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
        }
    }

    /// With one byte for each ASCII character that has more, such as `C0 AE` for a dot.
    private static func shortening(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for byte in bytes {
            // Some servers do not even look at the highest bit of the last byte.
            guard byte & 0x40 == 0, let last = result.last, last >= 0x80,
                let lead = overlongLeads.first(where: { result.suffix($0.count).elementsEqual($0) })
            else {
                result.append(byte)
                continue
            }
            result.removeLast(lead.count)
            result.append((last & 1) << 6 | byte & 0x3F)
        }
        return result
    }

    private static let overlongLeads: [[UInt8]] = [
        [0xC0], [0xC1], [0xE0, 0x80], [0xE0, 0x81], [0xF0, 0x80, 0x80], [0xF0, 0x80, 0x81],
    ]
}
