import ConnectionAdmission
import NIOCore
import NIOHTTP1

/// One connection: assembles requests, has them answered one after another, and ends so that the last answer arrives.
final class HTTPConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private enum State {
        /// Until the end of a request.
        case receiving(PartialRequest?)
        /// The responder has the request. Next: `writing`.
        case answering(AnswerForm)
        /// The answer is being sent. Next: `receiving`, `lingering`.
        case writing(closes: Bool)
        /// The last answer was sent; the connection waits for the client to close, so that no reset destroys the answer.
        case lingering
        case closed
    }

    private struct PartialRequest {
        var framing: RequestFraming
        var head: HTTPRequestHead
        var body: [UInt8] = []
    }

    /// The parts of a request that its answer depends on.
    private struct AnswerForm {
        var isHead = false
        var closes = true
    }

    private let gate: RequestGate
    private let limits: HTTPLimits
    private let responder: any HTTPResponder
    private let isTLS: Bool
    private let slot: ConnectionSlot
    private var state = State.receiving(nil)
    private var framing: RequestFraming?
    private var inputHasEnded = false
    private var deadline: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    init(gate: RequestGate, limits: HTTPLimits, responder: any HTTPResponder, isTLS: Bool, slot: ConnectionSlot) {
        self.gate = gate
        self.limits = limits
        self.responder = responder
        self.isTLS = isTLS
        self.slot = slot
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        state = .closed
        // Nobody is left to receive the answer, whenever it is ready.
        slot.isBusy = false
        context.fireChannelInactive()
    }

    // MARK: Requests

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let passed as RequestGate.HeadPassed: framing = passed.framing
        case ChannelEvent.inputClosed: inputEnded(context)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // After a chunked request the decoder may find the beginning of another one, which will not be answered.
        guard case .receiving(var request) = state else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard let framing else { return refuse(.malformed("the request has no head")) }
            request = PartialRequest(framing: framing, head: head)
        case .body(let part):
            state = .receiving(nil)
            guard (request?.body.count ?? 0) + part.readableBytes <= limits.bodyBytes else { return refuse(.bodyTooLarge) }
            request?.body.append(contentsOf: part.readableBytesView)
        case .end:
            if let request { respond(to: request, context: context) }
            return
        }
        state = .receiving(request)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case let fault as RequestFault: refuse(fault)
        case HTTPParserError.invalidMethod: refuse(.methodUnknown)
        case is HTTPParserError: refuse(.malformed("the request is not valid HTTP/1.1"))
        default: context.close(promise: nil)
        }
    }

    private func inputEnded(_ context: ChannelHandlerContext) {
        inputHasEnded = true
        switch state {
        case .receiving, .lingering: context.close(promise: nil)
        // A client may close its sending side after its last request; it gets its answer.
        case .answering, .writing, .closed: break
        }
    }

    private func respond(to partial: PartialRequest, context: ChannelHandlerContext) {
        framing = nil
        gate.requestComplete()
        slot.isBusy = true
        let form = AnswerForm(isHead: partial.head.method == .HEAD, closes: !partial.framing.keepsConnection)
        state = .answering(form)
        var headers: [(name: String, value: String)] = partial.head.headers.map { ($0.name, $0.value) }
        if let authority = partial.framing.targetAuthority, !partial.head.headers.contains(name: "Host") {
            headers.append(("Host", authority))
        }
        let request = ServerRequest(
            method: partial.head.method.rawValue, target: partial.framing.target, headers: headers, body: partial.body,
            remoteAddress: Self.text(context.remoteAddress), localAddress: Self.text(context.localAddress), isTLS: isTLS)
        responder.respond(to: request, on: context.eventLoop).hop(to: context.eventLoop).assumeIsolated().whenComplete { result in
            guard case .answering = self.state else { return }
            switch result {
            case .success(let response): self.write(response, form: form)
            case .failure: self.write(self.responder.refusal(of: .responderFailed), form: AnswerForm(isHead: form.isHead))
            }
        }
    }

    private static func text(_ address: SocketAddress?) -> String {
        address.flatMap { NetworkEndpoint($0) }?.description ?? ""
    }

    // MARK: Answers

    /// One answer, then close: what follows an invalid request cannot be understood.
    private func refuse(_ fault: RequestFault) {
        // A complete request is answered, whatever invalid bytes follow it on a connection that ends with the answer.
        guard case .receiving = state else { return }
        gate.stop()
        write(responder.refusal(of: fault), form: AnswerForm())
    }

    private func write(_ response: ServerResponse, form: AnswerForm) {
        guard let context else { return }
        let closes = form.closes || response.closesConnection || inputHasEnded
        let bytes = response.serialized(
            commonHeaders: responder.commonHeaders, isHead: form.isHead, closes: closes, allocator: context.channel.allocator)
        state = .writing(closes: closes)
        startDeadline()
        if closes { gate.stop() }
        context.writeAndFlush(wrapOutboundOut(bytes)).assumeIsolated().whenComplete { result in
            guard case .writing(let closes) = self.state else { return }
            self.deadline?.cancel()
            self.slot.isBusy = false
            switch result {
            case .failure: self.context?.close(promise: nil)
            case .success where closes: self.linger()
            case .success:
                self.state = .receiving(nil)
                self.gate.requestAnswered()
            }
        }
    }

    private func linger() {
        guard let context else { return }
        state = .lingering
        guard !inputHasEnded else { return context.close(promise: nil) }
        startDeadline()
        context.closeOutput()
    }

    private func startDeadline() {
        deadline?.cancel()
        deadline = context?.eventLoop.assumeIsolated().scheduleTask(in: limits.answerTime) { self.context?.close(promise: nil) }
    }
}
