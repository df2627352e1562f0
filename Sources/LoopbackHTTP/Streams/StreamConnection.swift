import ConnectionAdmission
import Glibc
import NIOCore

/// One connection whose requests and answers are passed on as they arrive, one request at a time.
///
/// Neither side is read faster than the other one takes: the socket is read only while a head is expected or a part of the body is wanted,
/// and the responder is told when the client takes an answer slowly.
final class StreamConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Answer {
        case notBegun
        case streaming(AnswerFraming)
        /// It is whole, and being sent. Next: `notBegun` of the next request, `lingering`.
        case ending(closes: Bool)
        /// The last answer was sent; the connection waits for the client to close, so that no reset destroys the answer.
        case lingering
        case closed
    }

    /// What of a request its answer depends on.
    private struct AnswerForm {
        var isHead = false
        var isOld = false
        var asksToClose = true
        var awaitsContinue = false
    }

    private let limits: HTTPLimits
    private let responder: any StreamResponder
    /// Set before the first byte arrives.
    var slot: ConnectionSlot?
    private var input: RequestInput
    private var answer = Answer.notBegun
    private var form = AnswerForm()
    private var current: IncomingExchange?
    private var hasAnswered = false
    private var isPumping = false
    private var holdsRead = false
    private var willFlush = false
    private var deadline: Scheduled<Void>?
    private var lastPart = NIODeadline.uptimeNanoseconds(0)
    private var context: ChannelHandlerContext?

    init(limits: HTTPLimits, responder: any StreamResponder) {
        self.limits = limits
        self.responder = responder
        input = RequestInput(limits: limits)
    }

    /// Bytes were received, and wait until the request before them is answered.
    var hasUnreadBytes: Bool { input.hasUnreadBytes }

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
        input.discard()
        answer = .closed
        clientGone()
        slot?.isBusy = false
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A client that closes its sending side cannot be told from one that is gone, and an exchange without a client must not go on: so an
        // answer is not waited for, as with most servers.
        if case ChannelEvent.inputClosed = event { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if case .streaming = answer { current?.handler?.answerPaused(!context.channel.isWritable) }
        context.fireChannelWritabilityChanged()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        input.receive(unwrapInboundIn(data))
        pump()
    }

    func read(context: ChannelHandlerContext) {
        if wantsBytes { context.read() } else { holdsRead = true }
    }

    /// While false, what the client sends waits in the kernel's buffer. The end of the connection is told all the same.
    private var wantsBytes: Bool {
        switch input.phase {
        case .head, .discarding: true
        case .body: current?.readsBody ?? false
        case .complete: input.waitingBytes < limits.headerBytes
        }
    }

    private func readIfHeld() {
        guard holdsRead, wantsBytes else { return }
        holdsRead = false
        context?.read()
    }

    private func opened() {
        if deadline == nil, input.phase == .head { startDeadline(limits.headerTime) }
    }

    // MARK: Requests

    /// Looks at what has arrived, as far as it is wanted.
    private func pump() {
        guard !isPumping else { return }
        isPumping = true
        while step() {}
        isPumping = false
        readIfHeld()
    }

    /// - Returns: whether there may be more to do.
    private func step() -> Bool {
        guard input.phase != .body || current?.readsBody == true else { return false }
        let beginsNext = hasAnswered && input.isPristine && input.hasUnreadBytes
        do throws(RequestFault) {
            switch try input.next() {
            case .head(let head, let framing): begin(head, framing)
            case .part(let part):
                lastPart = .now()
                current?.handler?.bodyReceived(part)
            case .end:
                stopDeadline()
                current?.handler?.bodyEnded()
            case .needsMore:
                if beginsNext { startDeadline(limits.headerTime) }
                return false
            }
            return true
        } catch {
            refuse(error)
            return false
        }
    }

    private func begin(_ head: RequestHead, _ framing: RequestFraming) {
        stopDeadline()
        form = AnswerForm(
            isHead: head.method == "HEAD", isOld: framing.isOld, asksToClose: framing.asksToClose, awaitsContinue: framing.awaitsContinue)
        // Clients offer the newer HTTP this way (Java's does always), and go on with this one.
        guard head.values(of: "Upgrade").allSatisfy({ $0.lowercased() == "h2c" }) else { return refuse(.upgradeUnknown) }
        slot?.isBusy = true
        let exchange = IncomingExchange(self)
        current = exchange
        let handler = responder.begin(head, over: exchange)
        // It may be over already.
        if current === exchange { exchange.handler = handler }
        if exchange.readsBody { readingChanged(exchange) }
    }

    func readingChanged(_ exchange: IncomingExchange) {
        guard exchange === current, exchange.handler != nil, exchange.readsBody, input.phase == .body else { return }
        if form.awaitsContinue {
            form.awaitsContinue = false
            if input.waitingBytes == 0, case .notBegun = answer {
                context?.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
            }
        }
        lastPart = .now()
        if deadline == nil { startDeadline(limits.bodyTime) }
        pump()
    }

    /// One answer, then close: what follows an invalid request cannot be understood.
    private func refuse(_ fault: RequestFault) {
        input.discard()
        stopDeadline()
        clientGone()
        guard case .notBegun = answer else { return cut() }
        send(responder.refusal(of: fault), closes: true)
    }

    private func clientGone() {
        guard let exchange = current else { return }
        current = nil
        slot?.isBusy = false
        let handler = exchange.handler
        exchange.handler = nil
        handler?.clientGone()
    }

    // MARK: Answers

    /// A request that is answered before it was read ends its connection: reading the rest could take for ever.
    private var mustClose: Bool { form.asksToClose || input.phase != .complete }

    func answer(_ response: ServerResponse, to exchange: IncomingExchange) {
        guard exchange === current, case .notBegun = answer else { return }
        over(exchange)
        send(response, closes: mustClose || response.closesConnection)
    }

    private func send(_ response: ServerResponse, closes: Bool) {
        guard let context else { return }
        let bytes = response.serialized(
            commonHeaders: responder.commonHeaders, isHead: form.isHead, closes: closes, allocator: context.channel.allocator)
        finish(with: [bytes], closes: closes)
    }

    func begin(status: Int, headers: [(name: String, value: String)], length: Int?, to exchange: IncomingExchange) {
        guard exchange === current, case .notBegun = answer, let context else { return }
        let framing = AnswerFraming(status: status, length: length, isHead: form.isHead, isOld: form.isOld, closes: form.asksToClose)
        let head = ServerResponse(status: status, headers: headers).head(
            commonHeaders: responder.commonHeaders, framing: framing.headers(lengthOfHead: form.isHead ? length : nil),
            closes: framing.closes, allocator: context.channel.allocator)
        guard (200...999).contains(status), let head else {
            over(exchange)?.clientGone()
            return send(responder.refusal(of: .responderFailed), closes: true)
        }
        answer = .streaming(framing)
        context.write(wrapOutboundOut(head), promise: nil)
        flushSoon()
    }

    func write(_ bytes: ByteBuffer, of exchange: IncomingExchange) {
        guard exchange === current, case .streaming(var framing) = answer, let context else { return }
        guard let parts = framing.frame(bytes, allocator: context.channel.allocator) else { return abort(exchange) }
        answer = .streaming(framing)
        for part in parts { context.write(wrapOutboundOut(part), promise: nil) }
        flushSoon()
    }

    func end(_ exchange: IncomingExchange) {
        guard exchange === current, case .streaming(let framing) = answer else { return }
        guard let parts = framing.end() else { return abort(exchange) }
        over(exchange)
        // Its end was not known when the answer began. A client that has not sent all of this request has not sent another one.
        finish(with: parts, closes: framing.closes || mustClose)
    }

    func abort(_ exchange: IncomingExchange) {
        guard exchange === current else { return }
        over(exchange)
        cut()
    }

    /// The exchange hears nothing more.
    @discardableResult
    private func over(_ exchange: IncomingExchange) -> (any IncomingHandler)? {
        current = nil
        defer { exchange.handler = nil }
        return exchange.handler
    }

    private func cut() {
        guard let context else { return }
        context.flush()
        if case .streaming(let framing) = answer, framing.endsWithConnection {
            // A reset, so that what has been sent does not look like all.
            let _: Int32? = try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable { (descriptor: NIOBSDSocket.Handle) in
                var value = linger(l_onoff: 1, l_linger: 0)
                return setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
            }
        }
        context.close(promise: nil)
    }

    /// At the end of this turn of the loop, so that a head and what comes with it are sent at once.
    private func flushSoon() {
        guard !willFlush, let context else { return }
        willFlush = true
        context.eventLoop.assumeIsolated().execute {
            self.willFlush = false
            self.context?.flush()
        }
    }

    private func finish(with parts: [ByteBuffer], closes: Bool) {
        guard let context else { return }
        answer = .ending(closes: closes)
        stopDeadline()
        if closes { input.discard() }
        for part in parts { context.write(wrapOutboundOut(part), promise: nil) }
        // An empty write completes after all others.
        context.writeAndFlush(wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { result in
            guard case .ending(let closes) = self.answer else { return }
            switch result {
            case .failure: self.context?.close(promise: nil)
            case .success where closes: self.awaitClose()
            case .success: self.awaitNext()
            }
        }
    }

    private func awaitNext() {
        answer = .notBegun
        form = AnswerForm()
        hasAnswered = true
        input.expectHead()
        slot?.isBusy = false
        startDeadline(limits.idleTime)
        // Not at once: this may be called while a handler is told something.
        if input.waitingBytes > 0 { context?.eventLoop.assumeIsolated().execute { self.pump() } } else { readIfHeld() }
    }

    private func awaitClose() {
        guard let context else { return }
        answer = .lingering
        slot?.isBusy = false
        startDeadline(limits.answerTime)
        readIfHeld()
        context.closeOutput()
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
        if case .lingering = answer {
            context?.close(promise: nil)
            return
        }
        switch input.phase {
        case .head:
            // Clients open connections that they may never use: they are closed without an answer, which they understand.
            if input.isIdle { context?.close(promise: nil) } else { refuse(.timedOut) }
        case .body: bodyTimeIsUp()
        case .complete, .discarding: break
        }
    }

    /// Only the client's silence counts: not the time for which nothing of the body was wanted.
    private func bodyTimeIsUp() {
        guard current?.readsBody == true else { return }
        let end = lastPart + limits.bodyTime
        if end <= .now() { refuse(.timedOut) } else { startDeadline(end - .now()) }
    }
}
