import NIOCore
import PosternCore
import PosternCrypto

/// Asks an http proxy for a tunnel (RFC 9110 section 9.3.6), and goes when there is one.
final class ProxyTunnel: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    struct Failure: Error {
        var reason: String
    }

    /// An answer to CONNECT is a status line and few headers.
    private static let longestAnswer = 16 * 1024

    private let destination: String
    private let credentials: String?
    private let done: (Result<Void, Failure>) -> Void
    private var answer = ByteBuffer()
    private var isDone = false

    init(to target: EndpointURL, port: Int, credentials: String?, done: @escaping (Result<Void, Failure>) -> Void) {
        destination = target.host.contains(":") ? "[\(target.host)]:\(port)" : "\(target.host):\(port)"
        self.credentials = credentials
        self.done = done
    }

    func channelActive(context: ChannelHandlerContext) {
        var text = "CONNECT \(destination) HTTP/1.1\r\nHost: \(destination)\r\n"
        if let credentials { text += "Proxy-Authorization: Basic \(Self.base64(Array(credentials.utf8)))\r\n" }
        text += "\r\n"
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(string: text)), promise: nil)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDone else { return context.fireChannelRead(data) }
        answer.writeImmutableBuffer(unwrapInboundIn(data))
        let text = String(decoding: answer.readableBytesView, as: UTF8.self)
        guard text.contains("\r\n\r\n") else {
            if answer.readableBytes > Self.longestAnswer { end(.failure(Failure(reason: "its answer does not end")), context) }
            return
        }
        let line = text.prefix { $0 != "\r\n" && $0 != "\r" && $0 != "\n" }
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            return end(.failure(Failure(reason: "its answer is not HTTP")), context)
        }
        guard 200..<300 ~= status else { return end(.failure(Failure(reason: "it answered with status \(status)")), context) }
        end(.success(()), context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.failure(Failure(reason: "it closed the connection")), context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(.failure(Failure(reason: "\(error)")), context)
        context.fireErrorCaught(error)
    }

    private func end(_ result: Result<Void, Failure>, _ context: ChannelHandlerContext) {
        guard !isDone else { return }
        isDone = true
        done(result)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        // base64url with the two characters put back, and padded.
        let text = Base64URL.encode(bytes).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return String(text) + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }
}
