import NIOCore
import PosternCrypto
import TLSTransport

/// Checks the first byte of a connection to a listener that requires TLS: plain HTTP gets an explanation in plain HTTP.
///
/// If a connection is closed without an answer, a browser only says that the page does not work, and nobody guesses that one letter of the
/// address is missing. Nothing of such a request is read: it was not encrypted, and its answer belongs to another address.
final class EncryptionCheck: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private enum State {
        case waiting
        /// Being removed from the pipeline; further bytes are passed to the TLS handler.
        case encrypted
        /// The client gets the explanation; nothing more is read.
        case refused
    }

    private let tls: TLSContext
    private var state = State.waiting

    init(tls: TLSContext) { self.tls = tls }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .waiting: decide(data, context: context)
        case .encrypted: context.fireChannelRead(data)
        case .refused: break
        }
    }

    private func decide(_ data: NIOAny, context: ChannelHandlerContext) {
        guard let first = unwrapInboundIn(data).readableBytesView.first else { return }
        guard !Self.beginsMethod(first) else {
            state = .refused
            return context.fireErrorCaught(RequestFault.notEncrypted)
        }
        state = .encrypted
        do {
            try context.pipeline.syncOperations.addHandler(TLSHandler(server: tls), position: .after(self))
            context.fireChannelRead(data)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        } catch {
            context.fireErrorCaught(error)
            context.close(promise: nil)
        }
    }

    /// A handshake begins with 22 (RFC 8446 section 5.1), a method with a letter.
    private static func beginsMethod(_ byte: UInt8) -> Bool {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
    }
}
