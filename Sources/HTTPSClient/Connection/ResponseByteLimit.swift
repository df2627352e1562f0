import NIOCore
import NIOHTTP1

/// Counts the bytes of an answer, ahead of the parser.
///
/// The parser limits only names and values, and each head separately: an endless reason phrase, one `100 Continue` after another, or the
/// extensions of a chunk, would continue until the deadline. Nor does it say whether more came behind an answer: the start of another one
/// would be taken for that of the connection's next request.
final class ResponseByteLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    static let maximumHeadBytes = 64 * 1024
    static let maximumFields = 128
    private static let endOfChunks: UInt32 = 0x0D0A_0D0A

    static var parserLimits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = maximumHeadBytes / 2
        limits.maxHeaderListSize = maximumHeadBytes
        limits.maxHeaderFieldCount = maximumFields
        return limits
    }

    /// Nil for an answer whose content has no limit: then what divides it into chunks has one between two parts of the content.
    private var maximumBodyBytes: Int?
    private var isHeadComplete = true
    /// None between two answers.
    private var limit = 0
    private var count = 0
    private var bytesAfterHead = 0
    private var content = 0
    private var lastFour: UInt32 = 0

    func begin(maximumBodyBytes: Int?) {
        self.maximumBodyBytes = maximumBodyBytes
        isHeadComplete = false
        (limit, count, bytesAfterHead, content) = (Self.maximumHeadBytes, 0, 0, 0)
    }

    /// The final head has arrived; what follows is the body, whose content is counted elsewhere, and what divides it into chunks.
    func headCompleted() {
        isHeadComplete = true
        if let maximumBodyBytes {
            limit = Self.maximumHeadBytes + maximumBodyBytes + Self.maximumFramingBytes(of: maximumBodyBytes)
        } else {
            (limit, count) = (Self.maximumFramingBytes(of: 0), 0)
        }
    }

    func received(content bytes: Int) {
        content += bytes
        if maximumBodyBytes == nil { count = 0 }
    }

    /// The answer is complete.
    ///
    /// - Returns: false if more may have come behind it. Chunks end with an empty line; what ends with another one is a whole head, which the
    ///   parser refuses.
    func end() -> Bool {
        (limit, count) = (0, 0)
        return bytesAfterHead == content || lastFour == Self.endOfChunks
    }

    /// As much as the content, which is enough for chunks of eight bytes; and something for short answers in shorter ones.
    private static func maximumFramingBytes(of content: Int) -> Int { content + 64 * 1024 }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        // A head by itself, so that what comes behind it is known to the byte.
        while !isHeadComplete, let end = Self.firstEmptyLine(in: bytes.readableBytesView),
            let head = bytes.readSlice(length: end - bytes.readerIndex + 1)
        {
            pass(head, context)
        }
        if bytes.readableBytes > 0 { pass(bytes, context) }
    }

    /// The end of the first line that is empty, or looks so because it began in an earlier part.
    private static func firstEmptyLine(in bytes: ByteBufferView) -> Int? {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if end == start || end == start + 1 && bytes[start] == UInt8(ascii: "\r") { return end }
            start = end + 1
        }
        return nil
    }

    private func pass(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        guard count <= limit else { return }
        count += bytes.readableBytes
        if isHeadComplete { bytesAfterHead += bytes.readableBytes }
        for byte in bytes.readableBytesView.suffix(4) { lastFour = lastFour << 8 | UInt32(byte) }
        context.fireChannelRead(wrapInboundOut(bytes))
        // Checked only now: the bytes may have contained the content that raises the limit.
        guard count > limit else { return }
        context.fireErrorCaught(
            ExchangeFailure(
                .responseTooLarge,
                isHeadComplete
                    ? "answered with more than \(limit) bytes for its chunks" : "answered with headers of more than \(limit) bytes"))
        context.close(promise: nil)
    }
}
