import NIOCore
import NIOHTTP1

/// Counts the bytes of an answer, ahead of the parser.
///
/// The parser limits only names and values, and each head separately: an endless reason phrase, one `100 Continue` after another, or the
/// extensions of a chunk, would continue until the deadline.
final class ResponseByteLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    static let maximumHeadBytes = 64 * 1024
    static let maximumFields = 128

    static var parserLimits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = maximumHeadBytes / 2
        limits.maxHeaderListSize = maximumHeadBytes
        limits.maxHeaderFieldCount = maximumFields
        return limits
    }

    /// The final head has arrived; what follows is the body, whose content is counted elsewhere, and what divides it into chunks.
    var isHeadComplete = false {
        didSet { limit = Self.maximumHeadBytes + maximumBodyBytes + Self.maximumFramingBytes(of: maximumBodyBytes) }
    }

    private let maximumBodyBytes: Int
    private var limit = maximumHeadBytes
    private var count = 0

    init(maximumBodyBytes: Int) { self.maximumBodyBytes = maximumBodyBytes }

    /// As much as the content, which is enough for chunks of eight bytes; and something for short answers in shorter ones.
    private static func maximumFramingBytes(of content: Int) -> Int { content + 64 * 1024 }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard count <= limit else { return }
        count += unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
        // Checked only now: the bytes may have contained the whole head, and much of a body too.
        guard count > limit else { return }
        context.fireErrorCaught(
            ExchangeFailure(
                .responseTooLarge,
                isHeadComplete
                    ? "answered with more than \(limit) bytes for its chunks" : "answered with headers of more than \(limit) bytes"))
        context.close(promise: nil)
    }
}
