import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import PosternCrypto
import TLSTransport
import TestAuthority

/// A server of our own TLS handler that gives one answer and then ends as a test wants.
final class ScriptedTLSServer: Sendable {
    enum Ending: Sendable {
        case closeNotify
        /// The connection ends without TLS's good-bye.
        case cut
        /// It waits for the next request.
        case none
    }

    let port: Int
    let connections = NIOLockedValueBox(0)

    convenience init(_ certificate: TestCertificate, answer: [UInt8], ending: Ending) throws {
        try self.init(certificate, ending: ending) { _ in answer }
    }

    /// - Parameter answer: is given the number that is the request's path, or 0.
    init(_ certificate: TestCertificate, ending: Ending, answer: @escaping @Sendable (Int) -> [UInt8]) throws {
        let context = try TLSContext.server(certificateFile: certificate.certificateFile, keyFile: certificate.keyFile)
        let channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { [connections] channel in
                connections.withLockedValue { $0 += 1 }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(TLSHandler(server: context))
                    try channel.pipeline.syncOperations.addHandler(Answerer(answer, ending))
                }
            }
            .bind(host: "127.0.0.1", port: 0).wait()
        port = channel.localAddress?.port ?? 0
    }

    private final class Answerer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private let answer: @Sendable (Int) -> [UInt8]
        private let ending: Ending
        private var request = ByteBuffer()

        init(_ answer: @escaping @Sendable (Int) -> [UInt8], _ ending: Ending) {
            self.answer = answer
            self.ending = ending
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            request.writeImmutableBuffer(unwrapInboundIn(data))
            let head = String(buffer: request)
            guard head.contains("\r\n\r\n") else { return }
            request.clear()
            let number = head.split(separator: " ").dropFirst().first.flatMap { Int($0.dropFirst()) } ?? 0
            let context = NIOLoopBound(context, eventLoop: context.eventLoop)
            let written = context.value.eventLoop.makePromise(of: Void.self)
            written.futureResult.whenComplete { [ending] _ in
                switch ending {
                case .closeNotify: context.value.close(promise: nil)
                // By the channel's core, past the TLS handler.
                case .cut: context.value.channel.pipeline.syncOperations.end()
                case .none: break
                }
            }
            context.value.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer(number))), promise: written)
        }
    }
}

extension ChannelPipeline.SynchronousOperations {
    /// Closes the socket without asking the handlers.
    fileprivate func end() {
        guard let first = try? context(handlerType: TLSHandler.self) else { return }
        first.close(promise: nil)
    }
}
