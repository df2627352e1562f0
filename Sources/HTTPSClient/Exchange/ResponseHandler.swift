import NIOCore
import NIOHTTP1
import PosternCore
import PosternCrypto
import TLSTransport

/// The end of the pipeline: reports to the exchange what happens to its connection.
final class ResponseHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let exchange: Exchange
    private let byteLimit: ResponseByteLimit
    private var collector: ResponseCollector

    init(_ exchange: Exchange, byteLimit: ResponseByteLimit, maximumBodyBytes: Int) {
        self.exchange = exchange
        self.byteLimit = byteLimit
        collector = ResponseCollector(maximumBodyBytes: maximumBodyBytes)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is TLSHandshakeCompleted { exchange.secured() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do throws(ExchangeFailure) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                byteLimit.isHeadComplete = true
                try collector.receive(head)
            case .body(let body):
                try collector.receive(body)
            case .end:
                exchange.answered(try collector.end())
            }
        } catch {
            exchange.failed(error)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        exchange.failed(Self.failure(error))
    }

    func channelInactive(context: ChannelHandlerContext) {
        exchange.failed(ExchangeFailure(.connectionClosed, "closed the connection before the answer was complete"))
        context.fireChannelInactive()
    }

    /// The sentences continue after the host's name.
    private static func failure(_ error: any Error) -> ExchangeFailure {
        switch error {
        case let error as ExchangeFailure: error
        case let error as TLSError where error.code == .truncated:
            ExchangeFailure(.connectionClosed, "cut the connection before the answer was complete")
        case let error as TLSError: ExchangeFailure(.tls(error), "has no secure connection: \(error)")
        case HTTPParserError.headerOverflow: ExchangeFailure(.responseTooLarge, "answered with too many headers")
        case HTTPParserError.invalidEOFState:
            ExchangeFailure(.connectionClosed, "closed the connection before the answer was complete")
        case let error as HTTPParserError: ExchangeFailure(.malformedResponse, "answered with something that is not HTTP (\(error))")
        case let error as IOError: ExchangeFailure(.connectionClosed, "broke the connection: \(error.sentence)")
        default: ExchangeFailure(.connectionClosed, "broke the connection: \(error)")
        }
    }
}
