import CallbackServer
import LoopbackHTTP
import NIOConcurrencyHelpers
import NIOCore
import PosternCore
import PosternCrypto

@testable import TestHTTPClient

/// Knows one state, which may come back as often as it likes, and the result pages that a test gives it.
final class RecordingDelegate: CallbackDelegate {
    static let knownState = HostileCase.knownState

    private let received = NIOLockedValueBox<[LoopbackCallback]>([])
    private let pages: [String: SignInResult]
    private let documents: Documents
    private let problem = NIOLockedValueBox<String?>(nil)

    /// What is wrong with the configuration.
    func configurationIs(wrong problem: String?) { self.problem.withLockedValue { $0 = problem } }

    private let count = NIOLockedValueBox(0)

    /// How often anything was asked.
    var questions: Int { count.withLockedValue { $0 } }

    private func answer<Value: Sendable>(on eventLoop: any EventLoop, _ value: () throws -> Value) -> EventLoopFuture<Value> {
        count.withLockedValue { $0 += 1 }
        if let problem = problem.withLockedValue({ $0 }) { return eventLoop.makeFailedFuture(ConfigurationInvalid(problem)) }
        return eventLoop.makeCompletedFuture(withResultOf: value)
    }

    func pageServed(on eventLoop: any EventLoop) -> EventLoopFuture<Void> { answer(on: eventLoop) {} }

    /// What there is for programs that verify tokens; nil while the store cannot be read.
    struct Documents: Sendable {
        var discovery: String? = #"{"issuer":"http://127.0.0.1:7678"}"#
        var keys: String? = #"{"keys":[]}"#
    }

    init(pages: [String: SignInResult], documents: Documents = Documents()) {
        self.pages = pages
        self.documents = documents
    }

    func discoveryDocument(on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        answer(on: eventLoop) { documents.discovery.map { Array($0.utf8) } }
    }

    func keySet(on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        answer(on: eventLoop) { documents.keys.map { Array($0.utf8) } }
    }

    var callbacks: [LoopbackCallback] { received.withLockedValue { $0 } }

    func callbackReceived(_ callback: LoopbackCallback, on eventLoop: any EventLoop) -> EventLoopFuture<CallbackDisposition> {
        answer(on: eventLoop) {
            received.withLockedValue { $0.append(callback) }
            if callback.parameters["break"] != nil { throw ChannelError.eof }
            return callback.parameters.state == Secret(Self.knownState) ? .taken(pageID: "page-1") : .notRecognised
        }
    }

    func result(ofPage id: String, on eventLoop: any EventLoop) -> EventLoopFuture<SignInResult?> {
        answer(on: eventLoop) { pages[id] }
    }

    /// What was answered on which page, about which provider.
    var answers: [String] { answered.withLockedValue { $0 } }

    private let answered = NIOLockedValueBox<[String]>([])

    func linkAnswered(
        _ answer: LinkReview.Answer, about link: Int, onPage id: String, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bool> {
        self.answer(on: eventLoop) {
            answered.withLockedValue { $0.append("\(answer) \(link) \(id)") }
            return pages[id] != nil
        }
    }

    func endSessionPage(id: String, on eventLoop: any EventLoop) -> EventLoopFuture<Secret?> {
        answer(on: eventLoop) { id == "go" ? Secret("https://op.example/bye?id_token_hint=a.b.c") : nil }
    }

    func endSessionReturned(state: Secret, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        answer(on: eventLoop) { state == Secret(Self.knownState) }
    }

    func foreignConnectionClosed(user: UInt32?) {}

    func acceptFailed(_ reason: String) {}
}

/// A callback server on free loopback ports that ends with the test.
final class TestCallbackServer {
    let server: CallbackServer
    let address: SocketAddress
    let delegate: RecordingDelegate

    init(
        _ addresses: [BindTarget] = [.address(host: "127.0.0.1", port: 0)], tls: TLSContext? = nil,
        languages: [PageLanguage] = PageLanguage.allCases,
        pages: [String: SignInResult] = [:], documents: RecordingDelegate.Documents = .init(),
        configure: (inout HTTPLimits) -> Void = { _ in }
    ) throws {
        delegate = RecordingDelegate(pages: pages, documents: documents)
        var limits = HTTPLimits()
        configure(&limits)
        server = try CallbackServer.start(
            at: addresses, CallbackSettings(tls: tls, languages: languages), limits: limits, delegate: delegate, eventLoop: EventLoops.one
        ).wait()
        address = server.localAddresses[0]
    }

    deinit { server.close() }

    var port: Int { address.port ?? 0 }

    /// One request on its own connection.
    func ask(_ line: String, headers: [String] = [], body: String = "", host: String? = nil) throws -> RawResponse {
        let client = try RawClient(address)
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        let all = ["Host: \(host ?? "127.0.0.1:\(port)")", "Connection: close"] + length + headers
        try client.send("\(line) HTTP/1.1\r\n" + all.map { $0 + "\r\n" }.joined() + "\r\n" + body)
        guard let response = try client.response() else { throw RawClient.Failure(description: "no answer to \(line)") }
        return response
    }

    func get(_ target: String, headers: [String] = []) throws -> RawResponse { try ask("GET \(target)", headers: headers) }

    /// A form as a provider has the browser post it.
    func post(_ target: String, _ body: String, headers: [String] = []) throws -> RawResponse {
        try ask("POST \(target)", headers: ["Content-Type: application/x-www-form-urlencoded"] + headers, body: body)
    }
}
