import PosternValues

/// One complete request: it is passed on only after the last byte of its body has arrived within all limits.
public struct ServerRequest: Sendable {
    /// As received, case included: `GET`.
    public var method: String
    /// The request target in origin form, as received and still percent-encoded: `/path?a=b`.
    public var target: String
    /// In the order in which they were received.
    public var headers: [(name: String, value: String)]
    /// Empty if there was none; at most ``HTTPLimits/bodyBytes``.
    public var body: [UInt8]
    /// `127.0.0.1:50123` or `[::1]:50123`.
    public var remoteAddress: String
    /// The listening address of the connection, written like ``remoteAddress``.
    public var localAddress: String
    /// True if the connection is encrypted.
    public var isTLS: Bool

    /// The target up to the question mark, still percent-encoded.
    public var path: String { String(target[..<(question ?? target.endIndex)]) }
    /// What follows the question mark, still percent-encoded. Nil without one, empty if nothing follows.
    public var query: String? { question.map { String(target.after($0)) } }
    private var question: String.Index? { target.utf8.firstIndex(of: UInt8(ascii: "?")) }

    /// The first header with that name, ignoring case.
    public func header(_ name: String) -> String? { values(of: name).first }

    /// Every value of the headers with that name, ignoring case, in the order in which they were received.
    public func values(of name: String) -> [String] {
        headers.filter { $0.name.isEqualIgnoringCase(name) }.map(\.value)
    }
}
