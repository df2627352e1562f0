import BridgeCore
import Glibc
import LoopbackHTTP
import NIOCore
import NIOPosix

@testable import Bridge

enum FrontLoop {
    static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    static var one: any EventLoop { group.next() }
}

/// Answers as a test says. On the event loop.
final class ScriptedUpstream: Upstream {
    var behaviour: (ScriptedExchange) -> Void
    private(set) var exchanges: [ScriptedExchange] = []

    init(_ behaviour: @escaping (ScriptedExchange) -> Void) { self.behaviour = behaviour }

    func begin(
        _ request: BridgeRequest, account: String?, waitsForPerson: TimeAmount, handler: any AuthorizedExchangeHandler
    ) -> any AuthorizedExchange {
        let exchange = ScriptedExchange(request, account: account, waitsForPerson: waitsForPerson, handler: handler)
        exchanges.append(exchange)
        let behaviour = behaviour
        FrontLoop.one.assumeIsolated().execute { behaviour(exchange) }
        return exchange
    }
}

final class ScriptedExchange: AuthorizedExchange {
    let request: BridgeRequest
    let account: String?
    let waitsForPerson: TimeAmount
    let handler: any AuthorizedExchangeHandler
    var isPaused = false { didSet { if isPaused { pauses += 1 } } }
    let isSent = true
    private(set) var pauses = 0
    private(set) var received = 0
    private(set) var isCancelled = false
    private(set) var bodyHasEnded = false
    /// Writes complete only when this is released.
    var holdsWrites = false { didSet { if !holdsWrites { release() } } }
    private var held: [EventLoopPromise<Void>] = []
    /// Hears of what came before, too.
    var onBody: ((ByteBuffer) -> Void)? {
        didSet {
            let waiting = early
            early = []
            for part in waiting { onBody?(part) }
        }
    }
    var onBodyEnd: (() -> Void)? { didSet { if bodyHasEnded { onBodyEnd?() } } }
    private var early: [ByteBuffer] = []

    init(_ request: BridgeRequest, account: String?, waitsForPerson: TimeAmount, handler: any AuthorizedExchangeHandler) {
        self.request = request
        self.account = account
        self.waitsForPerson = waitsForPerson
        self.handler = handler
    }

    func write(_ bytes: ByteBuffer) -> EventLoopFuture<Void> {
        received += bytes.readableBytes
        if let onBody { onBody(bytes) } else if !holdsWrites { early.append(bytes) }
        let promise = FrontLoop.one.makePromise(of: Void.self)
        if holdsWrites { held.append(promise) } else { promise.succeed() }
        return promise.futureResult
    }

    func endBody() {
        bodyHasEnded = true
        onBodyEnd?()
    }

    func cancel() {
        isCancelled = true
        release()
    }

    private func release() {
        let promises = held
        held = []
        for promise in promises { promise.succeed() }
    }

    // MARK: Answers

    func answer(_ status: Int, _ headers: [(name: String, value: String)] = [], _ text: String = "") {
        handler.answered(BridgeAnswer(status: status, headers: headers))
        if !text.isEmpty { handler.received(ByteBuffer(string: text)) }
        handler.ended()
    }

    /// What was sent, as the answer.
    func echo() {
        switch request.body {
        case .none: answer(200, [("X-Request", "\(request.method) \(request.url)")], "nothing")
        case .bytes(let bytes): answer(200, [("X-Request", "\(request.method) \(request.url)")], String(decoding: bytes, as: UTF8.self))
        case .streamed:
            handler.answered(BridgeAnswer(status: 200))
            onBody = { self.handler.received($0) }
            onBodyEnd = { self.handler.ended() }
        }
    }
}

/// Admits everything.
final class OpenPolicy: FrontPolicy {
    let collectsBody: Int?
    init(collectsBody: Int?) { self.collectsBody = collectsBody }

    func admit(_ head: RequestHead) -> EventLoopFuture<FrontVerdict> {
        let promise = FrontLoop.one.makePromise(of: FrontVerdict.self)
        promise.assumeIsolated().succeed(
            head.target == "/refused" ? .refused(.sentence(404, "nothing is here")) : .admitted(OpenPassage(head, collectsBody: collectsBody)))
        return promise.futureResult
    }
}

final class OpenPassage: FrontPassage {
    let request: BridgeRequest
    let account: String? = "open"
    let waitsForPerson = TimeAmount.zero
    let collectsBody: Int?

    init(_ head: RequestHead, collectsBody: Int?) {
        request = BridgeRequest(method: head.method, url: "https://server.example\(head.target)", headers: head.headers)
        self.collectsBody = collectsBody
    }

    func answer(to answer: BridgeAnswer, body: [UInt8]) -> FrontAnswer { .passed(answer) }
    func answer(to failure: BridgeFailure, body: [UInt8]) -> ServerResponse { .sentence(502, failure.message) }
}

/// A front on a Unix socket, and on a loopback port, that ends with the test.
final class TestFront {
    let directory: String
    let path: String
    let port: Int
    private let server: NIOLoopBound<FrontServer>
    private let upstream: NIOLoopBound<ScriptedUpstream>

    init(
        policy: @escaping @autoclosure @Sendable () -> any FrontPolicy = OpenPolicy(collectsBody: nil),
        limits: FrontServer.Limits = FrontServer.Limits(),
        _ behaviour: @escaping @Sendable (ScriptedExchange) -> Void = { $0.echo() }
    ) throws {
        var template = Array("/tmp/postern-front-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw FrontClient.Failure(description: "mkdtemp: errno \(errno)") }
        directory = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = "\(directory)/front.sock"
        let path = path
        let parts = try FrontLoop.one.flatSubmit {
            let upstream = ScriptedUpstream(behaviour)
            let server = FrontServer(policy: policy(), upstream: upstream, limits: limits, eventLoop: FrontLoop.one)
            let bound = (NIOLoopBound(server, eventLoop: FrontLoop.one), NIOLoopBound(upstream, eventLoop: FrontLoop.one))
            return server.listen(at: [.unix(path: path), .address(host: "127.0.0.1", port: 0)]).map { (bound, $0.compactMap(\.port)) }
        }.wait()
        (server, upstream) = parts.0
        port = parts.1.first ?? 0
    }

    deinit {
        let server = server
        try? FrontLoop.one.flatSubmit { server.value.close() }.wait()
        unlink(path)
        rmdir(directory)
    }

    func client() throws -> FrontClient { try FrontClient(path: path) }

    /// On the loop.
    func onLoop<Value: Sendable>(_ body: @escaping @Sendable (FrontServer, [ScriptedExchange]) -> Value) throws -> Value {
        let (server, upstream) = (server, upstream)
        return try FrontLoop.one.submit { body(server.value, upstream.value.exchanges) }.wait()
    }

    /// Waits until the first exchange is so, and fails after a time.
    func first(_ condition: @escaping @Sendable (ScriptedExchange) -> Bool) throws -> Bool {
        try frontEventually { try onLoop { $1.first.map(condition) ?? false } }
    }
}
