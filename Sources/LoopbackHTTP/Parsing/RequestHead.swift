import NIOCore
import PosternValues

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
    /// Of a target in absolute form, which a client sends to a forward proxy; else nil.
    public var authority: String?

    public init(
        method: String, target: String, headers: [(name: String, value: String)] = [], body: Body = .none, authority: String? = nil
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.authority = authority
    }

    /// - Parameter bytes: of the whole head, with its last line end. They have passed ``RequestHeadScanner``, which found the framing.
    init(checked bytes: ByteBufferView, framing: RequestFraming) {
        // A carriage return stands nowhere but before a line feed, which is removed with the blanks.
        let lines = bytes.split(separator: UInt8(ascii: "\r")).map { $0.drop { $0 == UInt8(ascii: "\n") } }.filter { !$0.isEmpty }
        let method = lines.first?.prefix { $0 != UInt8(ascii: " ") } ?? []
        self.init(
            method: String(decoding: method, as: UTF8.self), target: framing.target,
            headers: lines.dropFirst().compactMap { line in
                line.firstIndex(of: UInt8(ascii: ":")).map { colon in
                    (
                        String(decoding: line[..<colon], as: UTF8.self),
                        String(decoding: HeaderFieldRules.trimmed(line[line.index(after: colon)...]), as: UTF8.self)
                    )
                }
            }, body: framing.body, authority: framing.targetAuthority)
    }

    /// The first field with that name, ignoring case.
    public func header(_ name: String) -> String? { values(of: name).first }

    /// Every value of the fields with that name, ignoring case, in the order in which they were received.
    public func values(of name: String) -> [String] {
        headers.filter { $0.name.isEqualIgnoringCase(name) }.map(\.value)
    }
}
