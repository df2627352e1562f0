import NIOCore
import PosternValues

/// Answers requests. Everything is called on the listener's event loop.
public protocol HTTPResponder: ListenerDelegate, Sendable {
    /// If the future fails, the answer is that of ``RequestFault/responderFailed``.
    func respond(to request: ServerRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ServerResponse>
}

/// What a listener tells and asks apart from requests, on its event loop.
public protocol ListenerDelegate: AnyObject {
    /// The answer to a request that was refused before it could be passed on. The connection ends after it.
    func refusal(of fault: RequestFault) -> ServerResponse

    /// Added to every answer, including refusals, unless the answer itself sets that header.
    var commonHeaders: [(name: String, value: String)] { get }

    /// A connection was closed unread because its other end belongs to a user other than this process's or root, or, if `user` is nil, to
    /// nobody. Anyone who can connect can cause this as often as they like.
    func foreignConnectionClosed(user: UInt32?)

    /// New connections are accepted only by closing others, or have to wait. Reported at most once an hour.
    ///
    /// - Parameter reason: includes what to do about it.
    func acceptFailed(_ reason: String)
}

extension ListenerDelegate {
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
    /// Ends the connection after this answer, whatever the client requested.
    public var closesConnection: Bool

    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], closesConnection: Bool = false) {
        self.status = status
        self.headers = headers
        self.body = body
        self.closesConnection = closesConnection
    }

    /// The first header with that name, ignoring case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.isEqualIgnoringCase(name) }?.value
    }
}
