import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import PosternCrypto
import TLSTransport

/// What happens to a connection, for whoever opens or uses it.
protocol ConnectionUser: AnyObject {
    /// The TLS handshake is done.
    func secured()
    func received(_ part: HTTPClientResponsePart)
    /// - Parameter failure: a sentence that continues after the host's name.
    func failed(_ failure: ExchangeFailure)
}

extension ConnectionUser {
    func secured() {}
    func received(_ part: HTTPClientResponsePart) {}
}

/// An HTTP/1.1 connection: the end of its pipeline. One request at a time uses it.
final class Connection: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    let channel: any Channel
    /// Nil while it is kept for the next request: nothing may arrive then.
    var user: (any ConnectionUser)?
    /// For a kept one that is closed.
    var lost: (() -> Void)?
    private let byteLimit = ResponseByteLimit()

    init(_ channel: any Channel) { self.channel = channel }

    func install() throws {
        var encoding = HTTPRequestEncoder.Configuration()
        // The headers that frame a request are exactly those of its message.
        encoding.automaticallySetFramingHeaders = false
        try channel.pipeline.syncOperations.addHandlers([
            byteLimit, HTTPRequestEncoder(configuration: encoding),
            ByteToMessageHandler(HTTPResponseDecoder(limitConfiguration: ResponseByteLimit.parserLimits)), self,
        ])
    }

    // MARK: Use

    func begin(_ head: HTTPRequestHead, maximumBodyBytes: Int?) {
        byteLimit.begin(maximumBodyBytes: maximumBodyBytes)
        write(.head(head))
    }

    func write(_ part: HTTPClientRequestPart, promise: EventLoopPromise<Void>? = nil) {
        channel.pipeline.syncOperations.write(NIOAny(part), promise: promise)
    }

    func flush() { channel.pipeline.syncOperations.flush() }

    /// An answer ended; false if the connection cannot serve another request.
    func endAnswer() -> Bool { byteLimit.end() && channel.isActive }

    func setReading(_ isReading: Bool) { try? channel.syncOptions?.setOption(.autoRead, value: isReading) }

    func close() { channel.close(promise: nil) }

    /// Open, and without a byte or an end that the event loop has yet to notice.
    var isQuiet: Bool {
        guard channel.isActive, let descriptor else { return false }
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
    }

    /// The channel's, as long as it is active. Asked for once, because that takes longer than its use.
    private lazy var descriptor: CInt? = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable {
        (descriptor: NIOBSDSocket.Handle) in descriptor
    }

    // MARK: What happens

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is TLSHandshakeCompleted { user?.secured() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let user else { return close() }
        let part = unwrapInboundIn(data)
        switch part {
        case .head: byteLimit.headCompleted()
        case .body(let bytes): byteLimit.received(content: bytes.readableBytes)
        case .end: break
        }
        user.received(part)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let user else { return close() }
        user.failed(Self.failure(error))
    }

    func channelInactive(context: ChannelHandlerContext) {
        user?.failed(ExchangeFailure(.connectionClosed, "closed the connection before the answer was complete"))
        lost?()
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
