import NIOCore
import PosternCrypto

/// TLS in a channel's pipeline: ciphertext on the side of the socket, plaintext on the other.
///
/// - When the handshake is done it fires ``TLSHandshakeCompleted``; what was written before then is sent after it.
/// - What is written before a flush is encrypted together, so that a short message and its head are one record.
/// - A failed handshake, or data that breaks the protocol, fires one ``PosternCrypto/TLSError`` and closes the channel.
/// - A peer's `close_notify` is answered and closes the channel. If a connection ends without one, it fires
///   ``PosternCrypto/TLSError/Code/truncated`` before the channel becomes inactive: a reader that reads until the end must not mistake what
///   has arrived for the whole.
/// - It has no deadline. Whoever opens or accepts a connection limits the time until its first request or answer, which includes the
///   handshake.
public final class TLSHandler: ChannelDuplexHandler {
    public typealias InboundIn = ByteBuffer
    public typealias InboundOut = ByteBuffer
    public typealias OutboundIn = ByteBuffer
    public typealias OutboundOut = ByteBuffer

    /// The most bytes that may wait for the handshake. A request or an answer fits; a peer that never finishes its handshake cannot cause
    /// more to accumulate.
    static let maximumWaitingBytes = 1 << 20
    /// The most that is encrypted at once: the session keeps the memory that its largest write needed.
    static let maximumEncryptedBytes = 64 * 1024
    /// How often a peer may have what it sent answered by the session, as it may demand new keys: who reads none of these answers makes them
    /// accumulate. A peer that obeys the limits of its keys needs fewer for some terabytes.
    static let maximumAnswers = 1000
    /// Plaintext of one TLS record.
    private static let recordSize = 16 * 1024

    private let session: TLSSession
    private var waiting: [(buffer: ByteBuffer, promise: EventLoopPromise<Void>?)] = []
    private var waitingBytes = 0
    private var phase = Phase.handshaking
    private var answers = 0

    private enum Phase {
        case handshaking
        case open
        /// Closing was requested, or something failed; nothing more is passed on in either direction.
        case closed
    }

    /// The client's side.
    ///
    /// - Parameter serverHostname: the host name, or IP address without brackets, that the server's certificate must be valid for.
    public init(client context: TLSContext, serverHostname: String) throws(TLSError) {
        session = try TLSSession(client: context, serverHost: serverHostname)
    }

    /// The server's side.
    public init(server context: TLSContext) throws(TLSError) {
        session = try TLSSession(server: context)
    }

    public func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { advanceHandshake(context) }
    }

    /// The handler above is gone, or the channel is: what still waits will not be sent.
    public func handlerRemoved(context: ChannelHandlerContext) {
        phase = .closed
        failWaiting(ChannelError.ioOnClosedChannel)
    }

    public func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        advanceHandshake(context)
    }

    public func channelInactive(context: ChannelHandlerContext) {
        if phase != .closed {
            session.receiveEnd()
            // Gives the right error, because libssl knows whether the peer had sent `close_notify`.
            process(context)
        }
        phase = .closed
        failWaiting(ChannelError.ioOnClosedChannel)
        context.fireChannelInactive()
    }

    // MARK: Inbound

    public func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard phase != .closed else { return }
        let buffer = unwrapInboundIn(data)
        do throws(TLSError) {
            try buffer.withBytes { bytes throws(TLSError) in try session.receive(bytes) }
        } catch {
            return fail(error, context)
        }
        process(context)
    }

    private func process(_ context: ChannelHandlerContext) {
        if phase == .handshaking { advanceHandshake(context) }
        if phase == .open { passOnPlaintext(context) }
    }

    private func advanceHandshake(_ context: ChannelHandlerContext) {
        guard phase == .handshaking else { return }
        do throws(TLSError) {
            let isDone = try session.handshake()
            sendCiphertext(context, promise: nil)
            context.flush()
            guard isDone else { return }
            phase = .open
        } catch {
            return fail(error, context)
        }
        context.fireUserInboundEventTriggered(TLSHandshakeCompleted())
        // Whether a flush was requested meanwhile is not recorded; an extra one costs nothing here.
        flush(context: context)
    }

    /// Each step may close the channel, through a handler that was given the plaintext; then it stops.
    private func passOnPlaintext(_ context: ChannelHandlerContext) {
        while phase == .open {
            var buffer = context.channel.allocator.buffer(capacity: Self.recordSize)
            do throws(TLSError) {
                let result = try buffer.fill(minimum: Self.recordSize) { bytes throws(TLSError) in try session.read(into: bytes) }
                // The peer may have requested new keys, which is answered.
                if session.pendingCiphertext > 0 {
                    answers += 1
                    guard answers <= Self.maximumAnswers else {
                        throw TLSError(.protocolViolation, "the peer demanded new keys more than \(Self.maximumAnswers) times")
                    }
                    sendCiphertext(context, promise: nil)
                    context.flush()
                }
                switch result {
                case .bytes: context.fireChannelRead(wrapInboundOut(buffer))
                case .needsMore: return
                case .closedByPeer: return close(context: context, mode: .all, promise: nil)
                }
            } catch {
                return fail(error, context)
            }
        }
    }

    // MARK: Outbound

    public func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let buffer = unwrapOutboundIn(data)
        switch phase {
        case .closed:
            promise?.fail(ChannelError.ioOnClosedChannel)
        case .handshaking:
            guard waitingBytes + buffer.readableBytes <= Self.maximumWaitingBytes else {
                promise?.fail(TLSError(.tooMuchWaiting, "more than \(Self.maximumWaitingBytes) bytes wait for the TLS handshake"))
                return
            }
            waitingBytes += buffer.readableBytes
            waiting.append((buffer, promise))
        case .open:
            if waitingBytes + buffer.readableBytes > Self.recordSize { sendWaiting(context) }
            guard phase == .open else { return write(context: context, data: data, promise: promise) }
            waitingBytes += buffer.readableBytes
            waiting.append((buffer, promise))
        }
    }

    public func flush(context: ChannelHandlerContext) {
        if phase == .open { sendWaiting(context) }
        context.flush()
    }

    private func encrypt(_ buffer: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        var rest = buffer
        while let part = rest.readSlice(length: min(rest.readableBytes, Self.maximumEncryptedBytes)) {
            do throws(TLSError) {
                try part.withBytes { bytes throws(TLSError) in try session.write(bytes) }
            } catch {
                promise?.fail(error)
                return fail(error, context)
            }
            guard rest.readableBytes > 0 else { return sendCiphertext(context, promise: promise) }
            sendCiphertext(context, promise: nil)
        }
    }

    private func sendWaiting(_ context: ChannelHandlerContext) {
        var writes = waiting[...]
        waiting = []
        waitingBytes = 0
        while var (buffer, promise) = writes.popFirst() {
            guard phase == .open else {
                promise?.fail(ChannelError.ioOnClosedChannel)
                continue
            }
            while let next = writes.first, buffer.readableBytes + next.buffer.readableBytes <= Self.recordSize {
                writes.removeFirst()
                buffer.writeImmutableBuffer(next.buffer)
                if let first = promise { first.futureResult.cascade(to: next.promise) } else { promise = next.promise }
            }
            encrypt(buffer, context, promise)
        }
    }

    private func sendCiphertext(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        guard session.pendingCiphertext > 0 else {
            promise?.succeed()
            return
        }
        let buffer = session.takeCiphertext { context.channel.allocator.buffer(bytes: $0) }
        context.write(wrapOutboundOut(buffer), promise: promise)
    }

    public func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode != .input, phase != .closed else { return context.close(mode: mode, promise: promise) }
        end(context)
        // In the next turn: a caller that closes when the last write is done is still inside that write's flush, where `close_notify` can
        // only be queued behind it and would be lost with the channel.
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.execute { context.value.close(mode: mode, promise: promise) }
    }

    /// Sends `close_notify`, once, and stops.
    private func end(_ context: ChannelHandlerContext) {
        if phase == .open { sendWaiting(context) }
        guard phase != .closed else { return }
        phase = .closed
        session.close()
        sendCiphertext(context, promise: nil)
        context.flush()
        failWaiting(ChannelError.ioOnClosedChannel)
    }

    private func fail(_ error: TLSError, _ context: ChannelHandlerContext) {
        guard phase != .closed else { return }
        phase = .closed
        // The alert with which the peer learns the reason.
        sendCiphertext(context, promise: nil)
        context.flush()
        failWaiting(error)
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }

    private func failWaiting(_ error: any Error) {
        let writes = waiting
        waiting = []
        waitingBytes = 0
        for write in writes { write.promise?.fail(error) }
    }
}

/// Fired by ``TLSHandler`` as a user inbound event, once, when the peer is authenticated and data can be sent.
public struct TLSHandshakeCompleted: Sendable {}
