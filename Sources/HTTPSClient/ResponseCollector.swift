import NIOCore
import NIOHTTP1
import PosternCore
import PosternCrypto
import TLSTransport

/// Puts an answer together, within its bounds.
final class ResponseCollector: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    enum Failure: Error {
        case tls(TLSError)
        case tooLarge(limit: Int)
        case malformed(String)
        case closed
        case other(String)
    }

    private let maximumBodyBytes: Int
    private let done: (Result<ProviderResponse, Failure>) -> Void
    private let secured: () -> Void
    private var response: ProviderResponse?
    private var isDone = false

    /// The status line and headers have come.
    var hasHead: Bool { response != nil }

    init(
        maximumBodyBytes: Int, done: @escaping (Result<ProviderResponse, Failure>) -> Void, secured: @escaping () -> Void
    ) {
        self.maximumBodyBytes = maximumBodyBytes
        self.done = done
        self.secured = secured
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is TLSHandshakeCompleted { secured() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            // Told before it is read, where the server says it.
            if let length = head.headers.first(name: "Content-Length").flatMap(Int.init), length > maximumBodyBytes {
                return end(.failure(.tooLarge(limit: maximumBodyBytes)))
            }
            response = ProviderResponse(status: Int(head.status.code), headers: head.headers.map { ($0.name, $0.value) })
        case .body(let buffer):
            guard (response?.body.count ?? 0) + buffer.readableBytes <= maximumBodyBytes else {
                return end(.failure(.tooLarge(limit: maximumBodyBytes)))
            }
            response?.body.append(contentsOf: buffer.readableBytesView)
        case .end(let trailers):
            // Trailers count with nothing, and mean nothing here.
            _ = trailers
            if let response { end(.success(response)) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let error as TLSError: end(.failure(.tls(error)))
        case let error as HTTPParserError: end(.failure(error == .invalidEOFState ? .closed : .malformed("\(error)")))
        case let error as HeadLimit.TooLarge: end(.failure(.malformed("its headers are larger than \(error.limit) bytes")))
        default: end(.failure(.other("\(error)")))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.failure(.closed))
        context.fireChannelInactive()
    }

    private func end(_ result: Result<ProviderResponse, Failure>) {
        guard !isDone else { return }
        isDone = true
        done(result)
    }
}

/// Stops an answer whose headers do not end: the parser behind it would go on for ever.
final class HeadLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    struct TooLarge: Error {
        var limit: Int
    }

    private let collector: ResponseCollector
    private let limit: Int
    private var received = 0

    init(collector: ResponseCollector, limit: Int) {
        self.collector = collector
        self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !collector.hasHead else { return context.fireChannelRead(data) }
        received += unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
        if !collector.hasHead, received > limit {
            context.fireErrorCaught(TooLarge(limit: limit))
            context.close(promise: nil)
        }
    }
}
