import NIOCore
import PosternCore

extension HTTPSClient {
    /// Sends the request once, and follows no redirect. To be called on the client's event loop.
    ///
    /// At most 100 are open at once; others wait for their turn.
    public func open(_ request: StreamedRequest, handler: any StreamedExchangeHandler) -> StreamedExchange {
        let exchange = exchange(request, authorities: request.authorities.map(Authorities.pem) ?? .system, handler: handler)
        exchange.terms.takesPlace = true
        exchange.startSoon()
        return exchange
    }
}

/// A request whose answer is passed on as it arrives, and whose body may be too.
public struct StreamedRequest: Sendable {
    public enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// Given with ``StreamedExchange/write(_:)``, then ``StreamedExchange/endBody()``; with nil for the length, it is sent in chunks.
        case streamed(length: Int?)
    }

    public var method: String
    /// Absolute, `https`, or `http` to a loopback host.
    public var url: String
    /// None that frames the message: `Host`, `Connection`, `Content-Length`, `Transfer-Encoding`, `Expect`, `Upgrade`, `TE`, `Trailer`.
    public var headers: [(name: String, value: String)]
    public var body: Body
    public var addresses = AddressRule.any
    /// Certificates in PEM that are trusted in addition to the system's; nil for none.
    public var authorities: String?
    /// A `Content-Encoding` is passed on; false if an answer with one is refused.
    public var takesEncodings = true
    /// The connection may have served other requests, and may serve others after this one.
    public var keepsConnection = true
    /// They replace those of the same name, and may be set after ``prepare()``.
    public var lateHeaders: [(name: String, value: String)] = []
    var prepared: Result<RequestMessage, ExchangeFailure>?

    public init(method: String, url: String, headers: [(name: String, value: String)] = [], body: Body = .none) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// Does what it can before it is known what authorizes the request. The method, the URL, the headers and the body are then fixed.
    public mutating func prepare() { prepared = RequestMessage.of(self) }
}

/// The head of an answer that is streamed; never an informational one (1xx).
public struct StreamedAnswer: Sendable {
    public let status: Int
    /// In order, with repetitions.
    public let headers: [(name: String, value: String)]
}

/// What happens to an exchange, on the client's event loop: an answer, its bytes and its end; or, at any point before the end, a failure.
/// Nothing is reported before ``HTTPSClient/open(_:handler:)`` has returned, and nothing after the end, a failure or
/// ``StreamedExchange/cancel()``. The exchange holds the handler until then.
public protocol StreamedExchangeHandler: AnyObject {
    func answered(_ answer: StreamedAnswer)
    /// Never empty.
    func received(_ bytes: ByteBuffer)
    /// The answer is complete. If the request's body is not, the rest of it is not sent.
    func ended()
    func failed(_ error: HTTPSClientError)
}
