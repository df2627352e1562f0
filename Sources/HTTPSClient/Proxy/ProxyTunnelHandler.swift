import NIOCore
import PosternCore

/// Requests a tunnel from a proxy (RFC 9110 section 9.3.6) and leaves the pipeline once it is open.
final class ProxyTunnelHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The limit for the proxy's answer.
    private static let maximumAnswerBytes = 16 * 1024

    private let request: String
    private let proxyHost: String
    private var answer = ByteBuffer()
    /// How many bytes have been searched for the end, and how much of the end was seen last.
    private var scanned = 0
    private var matched = 0
    /// Called once, and then released.
    private var completion: ((Result<Void, ExchangeFailure>) -> Void)?

    init(
        to url: EndpointURL, by proxy: ProxyEndpoint, userAgent: String,
        completion: @escaping (Result<Void, ExchangeFailure>) -> Void
    ) {
        let target = "\(url.bracketedHost):\(url.port)"
        let authorization = proxy.authorization.map { "Proxy-Authorization: \($0.reveal())\r\n" } ?? ""
        request = "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\nUser-Agent: \(userAgent)\r\n\(authorization)\r\n"
        proxyHost = proxy.host
        self.completion = completion
    }

    func handlerAdded(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(string: request)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard completion != nil else { return }
        answer.writeImmutableBuffer(unwrapInboundIn(data))
        guard let head = nextHead() else {
            if answer.readableBytes > Self.maximumAnswerBytes { finish(context, refusal("its answer has no end")) }
            return
        }
        guard let status = Self.status(of: head) else { return finish(context, refusal("its answer is not HTTP")) }
        switch status {
        case 200..<300:
            // With TLS the client speaks first, so these bytes would be the proxy's own.
            finish(context, answer.readableBytes == 0 ? .success(()) : refusal("it sent its own data into the tunnel"))
        case 407: finish(context, refusal("it asks for a user and password (407); write them in the proxy's URL"))
        default: finish(context, refusal("it answered with status \(status)"))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(context, refusal("it closed the connection"))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(context, refusal((error as? IOError)?.sentence ?? "\(error)"))
    }

    private func refusal(_ reason: String) -> Result<Void, ExchangeFailure> {
        .failure(ExchangeFailure(.proxy, "cannot be reached by way of the proxy '\(proxyHost)': \(reason)"))
    }

    /// Leaves first: the next handler takes this position.
    private func finish(_ context: ChannelHandlerContext, _ result: Result<Void, ExchangeFailure>) {
        guard let completion else { return }
        self.completion = nil
        if case .success = result { context.pipeline.syncOperations.removeHandler(context: context, promise: nil) }
        completion(result)
    }

    /// Reads the lines up to the first empty one.
    private func nextHead() -> [UInt8]? {
        let end: [UInt8] = [13, 10, 13, 10]
        // Continues where the last search ended; otherwise bytes that arrive singly would take quadratic time.
        for byte in answer.readableBytesView.dropFirst(scanned) {
            scanned += 1
            matched = byte == end[matched] ? matched + 1 : byte == end[0] ? 1 : 0
            if matched == end.count { return answer.readBytes(length: scanned) }
        }
        return nil
    }

    /// RFC 9112 section 4: `HTTP/1.x NNN`.
    private static func status(of head: [UInt8]) -> Int? {
        let line = Array(head.prefix { $0 != 13 && $0 != 10 })
        let space = UInt8(ascii: " ")
        guard line.count >= 12, line.starts(with: "HTTP/1.".utf8), line[8] == space, line.count == 12 || line[12] == space
        else { return nil }
        let digits = line[9..<12].map { Int($0) - 48 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + $1 }
    }
}
