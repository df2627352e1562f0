import HTTPSClient
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A streamed exchange and what it reported.
final class Stream: StreamedExchangeHandler, Sendable {
    struct Report: Sendable {
        var status: Int?
        var headers: [String] = []
        var bytes = 0
        /// The first 64 KiB.
        var text = ""
        var isEnded = false
        var error: HTTPSClientError?
        /// Reported after the end.
        var isLate = false

        var outcome: Outcome? {
            if let error { return .failure(error.kind, mayHaveReachedServer: error.mayHaveReachedServer) }
            return isEnded ? .answer(status ?? 0, text) : nil
        }
    }

    private struct State {
        var report = Report()
        var waiters: [(isMet: @Sendable (Report) -> Bool, promise: EventLoopPromise<Report>)] = []
    }

    let eventLoop: any EventLoop
    private let state = NIOLockedValueBox(State())
    private let exchange: NIOLockedValueBox<NIOLoopBound<StreamedExchange>?> = NIOLockedValueBox(nil)

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    var report: Report { state.withLockedValue { $0.report } }

    /// Waits until it was reported.
    func report(until isMet: @escaping @Sendable (Report) -> Bool) async throws -> Report {
        let promise = eventLoop.makePromise(of: Report.self)
        update { $0.waiters.append((isMet, promise)) }
        return try await promise.futureResult.get()
    }

    func outcome() async throws -> Outcome? { try await report { $0.outcome != nil }.outcome }

    // MARK: What the test does

    func onExchange<Result: Sendable>(_ body: @escaping @Sendable (StreamedExchange) throws -> Result) async throws -> Result? {
        try await eventLoop.submit { try self.exchange.withLockedValue { $0 }.map { try body($0.value) } }.get()
    }

    func open(_ request: StreamedRequest, _ client: HTTPSClient, isPaused: Bool = false) async throws {
        try await eventLoop.submit {
            let opened = client.open(request, handler: self)
            opened.isPaused = isPaused
            self.exchange.withLockedValue { $0 = NIOLoopBound(opened, eventLoop: self.eventLoop) }
        }.get()
    }

    /// Waits until the connection can take more.
    func write(_ bytes: ByteBuffer) async throws {
        try await eventLoop.flatSubmit {
            self.exchange.withLockedValue { $0 }?.value.write(bytes) ?? self.eventLoop.makeSucceededVoidFuture()
        }.get()
    }

    func write(_ text: String) async throws { try await write(ByteBuffer(string: text)) }

    // MARK: What is reported

    private func change(_ body: (inout Report) -> Void) {
        update {
            if $0.report.outcome != nil { $0.report.isLate = true }
            body(&$0.report)
        }
    }

    private func update(_ update: (inout State) -> Void) {
        let met = state.withLockedValue { state in
            update(&state)
            let report = state.report
            let met = state.waiters.filter { $0.isMet(report) }
            state.waiters.removeAll { $0.isMet(report) }
            return met.map { ($0.promise, report) }
        }
        for (promise, report) in met { promise.succeed(report) }
    }

    func answered(_ answer: StreamedAnswer) {
        change {
            $0.status = answer.status
            $0.headers = answer.headers.map { "\($0.name)=\($0.value)" }
        }
    }

    func received(_ bytes: ByteBuffer) {
        change {
            if $0.bytes < 65_536 { $0.text += String(buffer: bytes) }
            $0.bytes += bytes.readableBytes
        }
    }

    func ended() { change { $0.isEnded = true } }

    func failed(_ error: HTTPSClientError) { change { $0.error = error } }
}

/// A client and its loop.
struct StreamClient: Sendable {
    let eventLoop: any EventLoop
    let client: HTTPSClient

    init(_ change: (inout HTTPSClientConfiguration) -> Void = { _ in }) {
        var configuration = HTTPSClientConfiguration(environment: [:], userAgent: "Postern/test")
        change(&configuration)
        eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        client = HTTPSClient(eventLoop: eventLoop, configuration: configuration)
    }

    func open(_ request: StreamedRequest, isPaused: Bool = false) async throws -> Stream {
        let stream = Stream(eventLoop)
        try await stream.open(request, client, isPaused: isPaused)
        return stream
    }

    func outcome(_ request: StreamedRequest) async throws -> Outcome? { try await open(request).outcome() }
}

extension StreamedRequest {
    static func get(_ server: RawServer, _ path: String = "/") -> StreamedRequest {
        StreamedRequest(method: "GET", url: "http://127.0.0.1:\(server.port)\(path)")
    }

    static func post(_ server: RawServer, _ body: Body) -> StreamedRequest {
        StreamedRequest(method: "POST", url: "http://127.0.0.1:\(server.port)/", body: body)
    }
}

/// Something that a server's thread and a test tell each other.
final class Signal: Sendable {
    private let lock = ConditionLock(value: 0)

    func send() {
        lock.lock()
        lock.unlock(withValue: 1)
    }

    /// Blocks: for servers' threads.
    func wait() {
        lock.lock(whenValue: 1)
        lock.unlock(withValue: 1)
    }

    /// For tests.
    func waited() async {
        await withCheckedContinuation { continuation in
            startThread {
                self.wait()
                continuation.resume()
            }
        }
    }
}
