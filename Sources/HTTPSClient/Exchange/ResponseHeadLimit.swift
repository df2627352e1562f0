import NIOCore
import NIOHTTP1

/// Counts the bytes before an answer's body, ahead of the parser.
///
/// The parser limits only names and values, and each head separately: an endless reason phrase, or one `100 Continue` after another, would
/// continue until the deadline.
final class ResponseHeadLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    static let maximumBytes = 64 * 1024
    static let maximumFields = 128

    static var parserLimits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = maximumBytes / 2
        limits.maxHeaderListSize = maximumBytes
        limits.maxHeaderFieldCount = maximumFields
        return limits
    }

    /// The final head has arrived; what follows is the body, which is counted elsewhere.
    var isHeadComplete = false
    private var count = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let isWithin = count <= Self.maximumBytes
        if !isHeadComplete { count += unwrapInboundIn(data).readableBytes }
        if isWithin { context.fireChannelRead(data) }
        // Checked only now: the bytes may have contained the whole head, and much of a body too.
        guard isWithin, !isHeadComplete, count > Self.maximumBytes else { return }
        context.fireErrorCaught(
            ExchangeFailure(.responseTooLarge, "answered with headers of more than \(Self.maximumBytes) bytes"))
        context.close(promise: nil)
    }
}
