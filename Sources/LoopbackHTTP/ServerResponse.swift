/// An answer. `Content-Length` and `Connection` are added when it is written; a body is left out of answers that cannot have one.
public struct ServerResponse: Sendable {
    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
    /// Ends the connection after this answer, whatever the client asked.
    public var closesConnection: Bool

    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], closesConnection: Bool = false) {
        self.status = status
        self.headers = headers
        self.body = body
        self.closesConnection = closesConnection
    }

    /// The first header of that name, letter case apart.
    public func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.lowercased() == wanted }?.value
    }
}
