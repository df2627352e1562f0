import NIOCore

/// Passes the bytes of one request at a time to the decoder, and none that break a limit or a rule.
///
/// Everything that a client can do with bytes and time is limited here: the decoder and the handlers after it only see checked heads,
/// bodies of the announced length, and the next request only after the answer to the previous one.
final class RequestGate: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// A head was passed on, and determines what may follow on this connection.
    struct HeadPassed {
        let framing: RequestFraming
    }

    private enum State {
        case head(RequestHeadScanner)
        case body(remaining: Int)
        /// Chunks and their sizes; the decoder finds the end.
        case chunks(received: Int)
        /// The whole request was passed on. Next: `head`, `closed`.
        case answering
        /// No more requests are read; further bytes are discarded.
        case closed
    }

    private let limits: HTTPLimits
    private var state: State
    private var hasAnswered = false
    /// Received, but not passed on yet.
    private var waiting = ByteBuffer()
    private var deadline: Scheduled<Void>?
    private var holdsRead = false
    /// The client has closed its side, but earlier requests still wait here.
    private var holdsEnd = false
    private var context: ChannelHandlerContext?

    init(limits: HTTPLimits) {
        self.limits = limits
        state = .head(RequestHeadScanner(limits: limits))
    }

    // MARK: What the connection asks of it

    /// The answer was written: passes on the next request.
    func requestAnswered() {
        guard let context, case .answering = state else { return }
        state = .head(RequestHeadScanner(limits: limits))
        hasAnswered = true
        startDeadline(limits.idleTime)
        if holdsRead {
            holdsRead = false
            context.read()
        }
        // Not at once: this is called while the decoder reads the last request.
        if waiting.readableBytes > 0 { context.eventLoop.assumeIsolated().execute { self.letThrough() } }
    }

    /// The decoder has seen the end of the request: nothing more of it is expected.
    func requestComplete() {
        stopDeadline()
        switch state {
        case .chunks: state = .answering
        case .head, .body, .answering, .closed: break
        }
    }

    /// Discards everything from now on.
    func stop() {
        stopDeadline()
        state = .closed
        waiting.clear()
        if holdsRead {
            holdsRead = false
            context?.read()
        }
    }

    // MARK: Channel events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { opened() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stopDeadline()
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        opened()
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        stopDeadline()
        state = .closed
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .closed = state { return }
        var bytes = unwrapInboundIn(data)
        waiting.writeBuffer(&bytes)
        letThrough()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event, hasUnreadBytes {
            holdsEnd = true
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func read(context: ChannelHandlerContext) {
        // If a client keeps sending while its request is answered, its bytes wait in the kernel's buffer.
        if case .answering = state, waiting.readableBytes >= limits.headerBytes {
            holdsRead = true
        } else {
            context.read()
        }
    }

    // MARK: -

    private func opened() {
        if deadline == nil { startDeadline(limits.headerTime) }
    }

    private func letThrough() {
        letBytesThrough()
        if holdsEnd, !hasUnreadBytes {
            holdsEnd = false
            context?.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
    }

    /// Bytes were received, and wait until the request before them is answered.
    var hasUnreadBytes: Bool {
        switch state {
        case .head(let scanner): waiting.readableBytes > scanner.consumed
        case .answering: waiting.readableBytes > 0
        case .body, .chunks, .closed: false
        }
    }

    private func letBytesThrough() {
        while let context, waiting.readableBytes > 0 {
            switch state {
            case .head(var scanner):
                let restsAfterAnswer = scanner.isPristine && hasAnswered
                state = .closed  // Releases the scanner, so that it is not copied.
                do throws(RequestFault) {
                    guard let (length, framing) = try scanner.consume(waiting.readableBytesView) else {
                        state = .head(scanner)
                        if restsAfterAnswer { startDeadline(limits.headerTime) }
                        return
                    }
                    headComplete(framing, length: length, context: context)
                } catch { return refuse(error) }
            case .body(let remaining):
                guard let part = waiting.readSlice(length: min(remaining, waiting.readableBytes)) else { return }
                let left = remaining - part.readableBytes
                state = left > 0 ? .body(remaining: left) : .answering
                context.fireChannelRead(wrapInboundOut(part))
            case .chunks(let received):
                guard let part = waiting.readSlice(length: waiting.readableBytes) else { return }
                // Chunks of one byte take six; more overhead than that is a client that sends bytes one by one.
                let sum = received + part.readableBytes
                guard sum <= 6 * limits.bodyBytes + limits.headerBytes else { return refuse(.bodyTooLarge) }
                state = .chunks(received: sum)
                context.fireChannelRead(wrapInboundOut(part))
            case .answering: return
            case .closed:
                waiting.clear()
                return
            }
        }
    }

    private func headComplete(_ framing: RequestFraming, length: Int, context: ChannelHandlerContext) {
        guard let head = waiting.readSlice(length: length) else { return }
        stopDeadline()
        switch framing.body {
        case .none: state = .answering
        case .length(let length): state = .body(remaining: length)
        case .chunked: state = .chunks(received: 0)
        }
        if framing.body != .none { startDeadline(limits.bodyTime) }
        if framing.awaitsContinue, waiting.readableBytes == 0 {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
        }
        context.fireUserInboundEventTriggered(HeadPassed(framing: framing))
        context.fireChannelRead(wrapInboundOut(head))
    }

    private func refuse(_ fault: RequestFault) {
        guard let context else { return }
        stop()
        context.fireErrorCaught(fault)
    }

    // MARK: Time

    private func startDeadline(_ time: TimeAmount) {
        deadline?.cancel()
        deadline = context?.eventLoop.assumeIsolated().scheduleTask(in: time) { self.timeIsUp() }
    }

    private func stopDeadline() {
        deadline?.cancel()
        deadline = nil
    }

    private func timeIsUp() {
        deadline = nil
        switch state {
        // A browser opens connections that it may never use: they are closed without an answer, which it understands.
        case .head(let scanner) where scanner.isPristine && waiting.readableBytes == 0: context?.close(promise: nil)
        case .head, .body, .chunks: refuse(.timedOut)
        case .answering, .closed: break
        }
    }
}
