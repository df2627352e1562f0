import NIOCore

/// Answers requests. Everything is called on the listener's event loop.
public protocol HTTPResponder: AnyObject, Sendable {
    /// A future that fails is answered as ``RequestFault/responderFailed``.
    func respond(to request: ServerRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ServerResponse>

    /// What a client is told whose request was refused before it could be handed over. The connection ends after it.
    func refusal(of fault: RequestFault) -> ServerResponse

    /// Put on every answer, refusals too, where the answer does not set that header itself.
    var commonHeaders: [(name: String, value: String)] { get }

    /// A connection was closed unread because its other end belongs to another user than this process's or root, or, where `user` is
    /// nil, to nobody. Whoever can connect can make this happen as often as they like.
    func foreignConnectionClosed(user: UInt32?)

    /// New connections cost others theirs, or have to wait. Told once an hour at most.
    ///
    /// - Parameter reason: what to do about it included.
    func acceptFailed(_ reason: String)
}

extension HTTPResponder {
    public func refusal(of fault: RequestFault) -> ServerResponse {
        ServerResponse(
            status: fault.status, headers: [("Content-Type", "text/plain; charset=utf-8")], body: Array("\(fault)\n".utf8))
    }

    public var commonHeaders: [(name: String, value: String)] { [] }

    public func foreignConnectionClosed(user: UInt32?) {}
    public func acceptFailed(_ reason: String) {}
}

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
