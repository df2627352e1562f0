/// The head of a request whose body follows in parts. It has passed every rule for heads.
public struct RequestHead: Sendable {
    public enum Body: Sendable, Hashable {
        case none
        case length(Int)
        case chunked
    }

    /// As received, case included: `GET`.
    public var method: String
    /// The request target in origin form, as received and still percent-encoded: `/path?a=b`.
    public var target: String
    /// In the order in which they were received, those that frame the message included.
    public var headers: [(name: String, value: String)]
    public var body: Body

    public init(method: String, target: String, headers: [(name: String, value: String)] = [], body: Body = .none) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }

    /// The target up to the question mark, still percent-encoded.
    public var path: String { String(target[..<(question ?? target.endIndex)]) }
    /// What follows the question mark, still percent-encoded. Nil without one, empty if nothing follows.
    public var query: String? { question.map { String(target[target.index(after: $0)...]) } }
    private var question: String.Index? { target.utf8.firstIndex(of: UInt8(ascii: "?")) }

    /// The first field with that name, ignoring case.
    public func header(_ name: String) -> String? { values(of: name).first }

    /// Every value of the fields with that name, ignoring case, in the order in which they were received.
    public func values(of name: String) -> [String] {
        let wanted = name.lowercased()
        return headers.filter { $0.name.lowercased() == wanted }.map(\.value)
    }
}
