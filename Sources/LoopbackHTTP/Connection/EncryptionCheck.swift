import NIOCore
import PosternCrypto
import TLSTransport

/// Looks at the first byte of a connection to a listener that speaks TLS: who speaks plain HTTP is told so in plain HTTP.
///
/// A browser shows a connection that is closed without a word as a page that "does not work", and nobody guesses that one
/// letter of the address is missing. Nothing of such a request is read: it came in the open, and its answer belongs to another
/// address.
final class EncryptionCheck: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private enum State {
        case waiting
        /// On the way out of the pipeline; what comes meanwhile is the TLS handler's.
        case encrypted
        /// Told what is wrong; nothing more is read.
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
