import BridgeCore
import NIOCore
import NIOPosix
import PosternInterface
import StrictJSON
import Synchronization

@testable import Bridge

/// The bridge between a scripted server and a scripted daemon, which gives the tokens at-1, at-2 and so on: another one each time that it is
/// asked with a challenge.
///
/// Unchecked: what it has is used on its event loop.
final class BridgeWorld: @unchecked Sendable {
    let server: ScriptedServer
    let daemon: ScriptedDaemon
    private let loop: any EventLoop
    private let upstream: DaemonUpstream

    typealias Rule = @Sendable (ScriptedDaemon.Call, ScriptedDaemon) -> ScriptedDaemon.Answer?

    /// - Parameters:
    ///   - answers: the server's.
    ///   - rule: what the daemon answers instead of what it usually does; nil for that.
    init(_ answers: [String], isInteractive: Bool = false, rule: @escaping Rule = { _, _ in nil }) throws {
        server = try ScriptedServer(answers)
        let url = server.url
        let token = Mutex(1)
        daemon = try ScriptedDaemon { call, daemon in
            if let answer = rule(call, daemon) { return answer }
            switch call.method {
            case "io.postern.GetRoute": return .reply(["providerID": "work", "urls": [.string(url)], "isMCP": true])
            case "io.postern.AuthorizeRequest":
                let number = token.withLock { number in
                    if call.parameters["challenge"] != nil, call.parameters["dpopNonce"] == nil { number += 1 }
                    return number
                }
                return .reply(Self.authorization("at-\(number)"))
            case "io.postern.Monitor": return .replies([])
            case "io.postern.ReportRefusedToken": return .reply([:])
            default: return .error(.internalError(message: "the script has no \(call.method)"))
            }
        }
        loop = MultiThreadedEventLoopGroup.singleton.next()
        upstream = DaemonUpstream(DaemonLink(socketPath: daemon.path, eventLoop: loop), eventLoop: loop, isInteractive: isInteractive)
    }

    static func authorization(_ token: String) -> JSONObject {
        ["headers": ["Authorization": .string("Bearer \(token)")], "providerID": "work", "uid": "1"]
    }

    var tokens: [String] { server.requests.map { $0.header("Authorization") ?? "" } }
    var challenges: [[JSON]?] { daemon.calls(of: "AuthorizeRequest").map { $0["challenge"]?.arrayValue } }

    enum Outcome: Equatable {
        case answer(Int, String)
        case failure(BridgeFailure)

        var failure: BridgeFailure? { if case .failure(let failure) = self { failure } else { nil } }
    }

    func outcome(
        method: String = "POST", url: String? = nil, body: BridgeRequest.Body = .bytes(Array("{}".utf8)), parts: [String] = [],
        account: String? = "work", waits: TimeAmount = .zero
    ) async throws -> Outcome {
        let request = BridgeRequest(method: method, url: url ?? server.url, headers: [("X-Of", "program")], body: body)
        let promise = loop.makePromise(of: Outcome.self)
        loop.execute { [self] in
            let exchange = upstream.begin(request, account: account, waitsForPerson: waits, handler: Collector(promise))
            if case .streamed = body {
                for part in parts { exchange.write(ByteBuffer(string: part)).whenComplete { _ in } }
                exchange.endBody()
            }
        }
        return try await promise.futureResult.get()
    }

    private final class Collector: AuthorizedExchangeHandler {
        private let promise: EventLoopPromise<Outcome>
        private var status = 0
        private var body = ByteBuffer()

        init(_ promise: EventLoopPromise<Outcome>) { self.promise = promise }

        func answered(_ answer: BridgeAnswer) { status = answer.status }
        func received(_ bytes: ByteBuffer) { body.writeImmutableBuffer(bytes) }
        func ended() { promise.succeed(.answer(status, String(buffer: body))) }
        func failed(_ failure: BridgeFailure) { promise.succeed(.failure(failure)) }
    }
}
