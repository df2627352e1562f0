import NIOCore
import NIOHTTP1
import PosternCore

/// A request under way, from the wait for a connection to the last byte of its answer. To be used on the client's event loop.
public final class StreamedExchange: ConnectionUser, PlaceTaker {
    private enum State {
        case new
        /// For a place among those that may be open at once.
        case waiting
        case connecting(ConnectionAttempt)
        /// The request was passed to the connection: from here on the server may have it.
        case exchanging(Connection)
        case done
    }

    /// What a request allows, beside its message.
    struct Terms {
        var connectTimeout: TimeAmount
        /// From the call to the last byte of the answer; nil for a stream, which may last for hours.
        var totalTimeout: TimeAmount?
        var maximumBodyBytes: Int?
        var takesEncodings: Bool
        var keepsConnection: Bool
        /// Counts among those that may be open at once.
        var takesPlace = false
    }

    var terms: Terms
    private let message: Result<RequestMessage, ExchangeFailure>
    private let addresses: AddressRule
    private let authorities: Authorities
    private let pool: ConnectionPool
    private let eventLoop: any EventLoop
    private var handler: (any StreamedExchangeHandler)?
    private var state = State.new

    /// Parts of the body that were given before there was a connection.
    private var early: [(bytes: ByteBuffer, promise: EventLoopPromise<Void>)] = []
    private var isBodyComplete = false
    /// Of a body whose length is known.
    private var bytesLeft: Int?
    private var answer: HTTPResponseHead?
    private var deadline: Scheduled<Void>?

    init(
        _ message: Result<RequestMessage, ExchangeFailure>, terms: Terms, addresses: AddressRule, authorities: Authorities,
        pool: ConnectionPool, eventLoop: any EventLoop, handler: any StreamedExchangeHandler
    ) {
        self.message = message
        self.terms = terms
        self.addresses = addresses
        self.authorities = authorities
        self.pool = pool
        self.eventLoop = eventLoop
        self.handler = handler
        switch try? message.get().body {
        case .streamed(let length): bytesLeft = length
        case .bytes, .none?, nil: isBodyComplete = true
        }
    }

    // MARK: What the caller does

    /// While true, nothing more of the answer is read from the connection. What was read before may still be reported, and once the server
    /// has closed the connection, all that the system holds of the answer is.
    public var isPaused = false {
        didSet {
            guard isPaused != oldValue, case .exchanging(let connection) = state else { return }
            connection.setReading(!isPaused)
        }
    }

    /// Sends a part of a streamed body.
    ///
    /// - Returns: completes when the connection can take more; the caller waits for it before it writes again. Fails if the exchange is over,
    ///   of which the handler is told, maybe during the call.
    public func write(_ bytes: ByteBuffer) -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        let isTooLong = bytesLeft.map { bytes.readableBytes > $0 } ?? false
        if isTooLong, !isBodyComplete { failed(ExchangeFailure(.invalidRequest, "was to be sent a longer body than its length says")) }
        if let bytesLeft { self.bytesLeft = bytesLeft - bytes.readableBytes }
        switch state {
        case .new where !isBodyComplete, .waiting where !isBodyComplete, .connecting where !isBodyComplete: early.append((bytes, promise))
        case .exchanging(let connection) where !isBodyComplete:
            connection.write(.body(.byteBuffer(bytes)), promise: promise)
            connection.flush()
        default: promise.fail(ChannelError.ioOnClosedChannel)
        }
        return promise.futureResult
    }

    /// The streamed body is complete.
    public func endBody() {
        guard !isBodyComplete else { return }
        isBodyComplete = true
        guard bytesLeft ?? 0 == 0 else { return failed(ExchangeFailure(.invalidRequest, "was sent a shorter body than its length says")) }
        guard case .exchanging(let connection) = state else { return }
        connection.write(.end(nil))
        connection.flush()
    }

    /// Gives the request up: nothing more is reported. The server may have it already.
    public func cancel() { _ = finish() }

    // MARK: What happens

    /// In the loop's next turn, so that the caller has the exchange before something is reported.
    func startSoon() { eventLoop.assumeIsolated().execute { self.start() } }

    func start() {
        guard case .new = state else { return }
        if !terms.takesPlace {
            begin()
        } else {
            state = .waiting
            if !pool.enter(self) {
                state = .new
                failed(ExchangeFailure(.tooManyRequests, "is not asked: too many requests wait for others to end"))
            }
        }
        if case .done = state { return }
        // After the connection's own, so that of two limits that are equal the earlier step's is the one that is reported.
        guard let limit = terms.totalTimeout else { return }
        deadline = eventLoop.assumeIsolated().scheduleTask(in: limit) {
            self.failed(ExchangeFailure(.requestTimeout, "did not finish its answer within \(limit.sentence)"))
        }
    }

    /// There is a place.
    func begin() {
        switch state {
        case .new, .waiting: break
        case .connecting, .exchanging, .done: return
        }
        do throws(ExchangeFailure) {
            let message = try message.get()
            let destination = Destination(url: message.url, addresses: addresses, authorities: authorities)
            if terms.keepsConnection, let connection = pool.take(to: destination) { return send(message, on: connection) }
            let attempt = try pool.attempt(to: destination, timeout: terms.connectTimeout)
            state = .connecting(attempt)
            attempt.start { result in
                switch result {
                case .success(let connection): self.send(message, on: connection)
                case .failure(let failure): self.failed(failure)
                }
            }
        } catch {
            failed(error)
        }
    }

    private func send(_ message: RequestMessage, on connection: Connection) {
        // Before the first byte is passed on, so that no later failure can claim that nothing was sent.
        state = .exchanging(connection)
        connection.user = self
        if isPaused { connection.setReading(false) }
        connection.begin(message.head, maximumBodyBytes: terms.maximumBodyBytes)
        if case .bytes(let bytes) = message.body, !bytes.isEmpty {
            connection.write(.body(.byteBuffer(connection.channel.allocator.buffer(bytes: bytes))))
        }
        for part in early { connection.write(.body(.byteBuffer(part.bytes)), promise: part.promise) }
        early = []
        if isBodyComplete { connection.write(.end(nil)) }
        connection.flush()
    }

    func received(_ part: HTTPClientResponsePart) {
        switch part {
        case .head(let head): answered(head)
        case .body(let bytes): handler?.received(bytes)
        case .end: ended()
        }
    }

    private func answered(_ head: HTTPResponseHead) {
        // Nothing requested an upgrade, and what follows one is not HTTP.
        guard head.status.code >= 200, answer == nil else {
            return failed(ExchangeFailure(.malformedResponse, "answered with the unexpected status \(head.status.code)"))
        }
        // The parser assumes that a message with an unknown coding ends with the connection; its body could not be decoded.
        let codings = head.headers[canonicalForm: "transfer-encoding"].filter { $0.lowercased() != "chunked" }
        let encodings = head.headers[canonicalForm: "content-encoding"].filter { $0.lowercased() != "identity" && !$0.isEmpty }
        guard codings.isEmpty, encodings.isEmpty || terms.takesEncodings else {
            return failed(ExchangeFailure(.malformedResponse, "answered in a coding that was not requested"))
        }
        answer = head
        handler?.answered(StreamedAnswer(status: Int(head.status.code), headers: head.headers.map { ($0.name, Self.trimmed($0.value)) }))
    }

    /// RFC 9110 section 5.5: white space around a value is not part of it. The parser leaves it at the end.
    private static func trimmed(_ value: String) -> String {
        var bytes = value.utf8[...]
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes.count == value.utf8.count ? value : String(decoding: bytes, as: UTF8.self)
    }

    private func ended() {
        guard case .exchanging(let connection) = state, let answer else { return }
        let isKept = connection.endAnswer() && terms.keepsConnection && isBodyComplete
        finish(keepingFor: isKept ? KeptTime.of(answer) : nil)?.ended()
    }

    /// - Parameter failure: a sentence that continues after the host's name.
    func failed(_ failure: ExchangeFailure) {
        let mayHaveReachedServer =
            switch state {
            case .new, .waiting, .connecting: false
            case .exchanging, .done: true
            }
        // Without a message there is no host, and the sentence is a whole one.
        let host = (try? message.get()).map { "'\($0.url.host)' " } ?? ""
        finish()?.failed(
            HTTPSClientError(
                kind: failure.kind, mayHaveReachedServer: mayHaveReachedServer, description: host + failure.description))
    }

    /// Ends the exchange.
    ///
    /// - Parameter time: for how long its connection is kept; nil if it is closed.
    /// - Returns: whom to tell; nil if it had ended before.
    private func finish(keepingFor time: TimeAmount? = nil) -> (any StreamedExchangeHandler)? {
        let (last, handler) = (state, handler)
        state = .done
        self.handler = nil
        deadline?.cancel()
        deadline = nil
        for part in early { part.promise.fail(ChannelError.ioOnClosedChannel) }
        early = []
        switch last {
        case .new, .done: return handler
        case .waiting: break
        case .connecting(let attempt): attempt.cancel()
        case .exchanging(let connection):
            connection.user = nil
            if let time, let url = try? message.get().url {
                if isPaused { connection.setReading(true) }
                pool.keep(connection, to: Destination(url: url, addresses: addresses, authorities: authorities), for: time)
            } else {
                connection.close()
            }
        }
        if terms.takesPlace { pool.leave(self) }
        return handler
    }
}

/// For how long a connection is kept after an answer.
enum KeptTime {
    /// - Returns: nil if it is not.
    static func of(_ answer: HTTPResponseHead) -> TimeAmount? {
        guard answer.isKeepAlive else { return nil }
        // RFC 9112 has no field for it, but servers send `Keep-Alive: timeout=5, max=100`. A second is for the way to the server.
        let parameters = answer.headers[canonicalForm: "keep-alive"].map { $0.lowercased() }
        guard let seconds = parameters.compactMap({ $0.rest(after: "timeout=") }).compactMap({ Int64($0) }).min() else {
            return ConnectionPool.longestKept
        }
        return seconds <= 1 ? nil : min(ConnectionPool.longestKept, .seconds(min(seconds, 3600) - 1))
    }
}
