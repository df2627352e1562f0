import LoopbackHTTP
import NIOConcurrencyHelpers
import NIOCore
import PosternCrypto

@testable import TestHTTPClient

/// Answers with what the request was, or with what a test decides.
final class EchoResponder: HTTPResponder {
    private let seen = NIOLockedValueBox<[ServerRequest]>([])
    private let foreign = NIOLockedValueBox<[UInt32?]>([])
    private let failures = NIOLockedValueBox<[String]>([])
    private let held = NIOLockedValueBox<[EventLoopPromise<ServerResponse>]>([])

    var requests: [ServerRequest] { seen.withLockedValue { $0 } }

    func respond(to request: ServerRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ServerResponse> {
        // Only then: a test that has seen a request may release it.
        defer { seen.withLockedValue { $0.append(request) } }
        switch request.path {
        case "/hold":
            let promise = eventLoop.makePromise(of: ServerResponse.self)
            held.withLockedValue { $0.append(promise) }
            return promise.futureResult
        case "/fail": return eventLoop.makeFailedFuture(ChannelError.eof)
        case "/inject": return eventLoop.makeSucceededFuture(ServerResponse(status: 200, headers: [("X", "a\r\nSet-Cookie: b")]))
        case "/close": return eventLoop.makeSucceededFuture(ServerResponse(status: 200, closesConnection: true))
        case "/nothing": return eventLoop.makeSucceededFuture(ServerResponse(status: 204))
        default:
            let text = "\(request.method) \(request.target) \(String(decoding: request.body, as: UTF8.self))"
            return eventLoop.makeSucceededFuture(ServerResponse(status: 200, body: Array(text.utf8)))
        }
    }

    /// Whose connections were closed unread; nil if they were nobody's now.
    var foreignUsers: [UInt32?] { foreign.withLockedValue { $0 } }

    func foreignConnectionClosed(user: UInt32?) { foreign.withLockedValue { $0.append(user) } }

    /// What was told of connections that could not be accepted.
    var acceptFailures: [String] { failures.withLockedValue { $0 } }

    func acceptFailed(_ reason: String) { failures.withLockedValue { $0.append(reason) } }

    var commonHeaders: [(name: String, value: String)] { [("X-Common", "yes")] }

    /// Answers everything that is held.
    func release() {
        for promise in held.withLockedValue({ held in
            defer { held = [] }
            return held
        }) { promise.succeed(ServerResponse(status: 200, body: Array("released".utf8))) }
    }
}

/// A listener on free loopback ports that ends with the test.
final class TestListener {
    let listener: HTTPListener
    let responder: EchoResponder
    let address: SocketAddress

    init(listener: HTTPListener, responder: EchoResponder) {
        self.listener = listener
        self.responder = responder
        address = listener.localAddresses[0]
    }

    convenience init(
        _ addresses: [BindTarget] = [.address(host: "127.0.0.1", port: 0)], tls: TLSContext? = nil,
        sameUser: Bool = true, configure: (inout HTTPLimits) -> Void = { _ in }
    ) throws {
        var limits = HTTPLimits()
        configure(&limits)
        let responder = EchoResponder()
        let listener = try HTTPListener.start(
            addresses: addresses, tls: tls, limits: limits, sameUser: sameUser, eventLoop: EventLoops.one, responder: responder
        ).wait()
        self.init(listener: listener, responder: responder)
    }

    deinit { listener.close() }

    func client() throws -> RawClient { try RawClient(address) }

    /// Sends one text and gives all that is answered.
    func exchange(_ text: String) throws -> [RawResponse] {
        let client = try client()
        try client.send(text)
        return try client.responses()
    }

    func openConnections() throws -> Int {
        let listener = listener
        return try EventLoops.one.submit { listener.openConnections }.wait()
    }
}
