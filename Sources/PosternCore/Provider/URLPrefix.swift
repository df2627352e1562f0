/// A URL that tokens are for, with everything below it: an origin, and perhaps a path of whole segments.
///
/// Compared exactly: scheme, host in lower case, port with the scheme's own filled in, then segment by segment. A host that is not ASCII
/// is none here: what name a program asks for it depends on the IDNA rules that it follows, and the token would go wherever that is.
public struct URLPrefix: Sendable, Hashable {
    /// In bytes, of a URL that is asked about.
    public static let longestURL = 8192

    /// As it is configured.
    public let text: String
    private let origin: EndpointURL
    /// Without an empty one at the end: `https://example.com/a/` and `https://example.com/a` mean the same.
    private let segments: [Substring]

    /// - Throws: what is wrong, as a sentence that goes on from the key's name.
    public init(_ text: String) throws(EndpointURLError) {
        let url = try EndpointURL(text)
        guard url.query == nil else { throw .query }
        guard var segments = Self.segments(of: url) else { throw .dotSegment }
        if segments.last?.isEmpty == true { segments.removeLast() }
        self.text = text
        origin = url
        self.segments = segments
    }

    /// Of what is built in.
    static func all(_ texts: [String]) -> [URLPrefix] {
        texts.compactMap { text in
            var prefix = try? URLPrefix(text)
            prefix?.isBuiltIn = true
            return prefix
        }
    }

    /// Nobody has configured it.
    public private(set) var isBuiltIn = false

    /// How close it comes to a URL that it covers: the number of segments. Nil if it does not.
    ///
    public func closeness(to url: AskedURL) -> Int? {
        guard origin.hasSameOrigin(as: url.url), url.segments.starts(with: segments) else { return nil }
        return segments.count
    }

    /// A URL that a program wants to send a token to.
    public struct AskedURL: Sendable {
        let url: EndpointURL
        let segments: [Substring]

        /// - Throws: if no token is for it, whatever is configured: no `https` (but to this machine), a user name before the host, a
        ///   path that leads somewhere else than it says.
        public init(_ text: String) throws(EndpointURLError) {
            url = try EndpointURL(text, longest: URLPrefix.longestURL)
            guard let segments = URLPrefix.segments(of: url) else { throw .dotSegment }
            self.segments = segments
        }

        /// For messages.
        public var origin: String { url.origin }
    }

    /// Nil for a path with a segment `.` or `..`, in whatever disguise: percent-encoded, more than once, behind a slash that is, before a
    /// semicolon. Servers differ in what they make of those.
    private static func segments(of url: EndpointURL) -> [Substring]? {
        let segments = url.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        return segments.contains(where: holdsDotSegment) ? nil : segments
    }

    private static func holdsDotSegment(_ segment: Substring) -> Bool {
        var bytes = Array(segment.utf8)
        while true {
            let parts = bytes.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
            let isDots = parts.contains { part in
                let name = part.prefix { $0 != UInt8(ascii: ";") }
                return name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
            }
            if isDots { return true }
            let decoded = PercentEncoding.decode(bytes)
            if decoded == bytes { return false }
            // Shorter each time, so this ends.
            bytes = decoded
        }
    }
}
