import NIOCore
import StrictJSON
import Varlink

/// One connection: finds the messages, hands the calls to the service one after the other, and writes the replies.
final class VarlinkConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private struct Waiting {
        var call: Result<VarlinkCall, VarlinkError>
        var terminator: MessageScanner.Terminator
    }

    private let service: any VarlinkService
    private let standard: StandardInterface
    private let limits: VarlinkLimits
    let peer: VarlinkPeer

    private var context: ChannelHandlerContext?
    private var buffer = ByteBuffer()
    private var scanner = MessageScanner()
    private var waiting = CircularBuffer<Waiting>()
    private var current: VarlinkReplyHandle?
    private var terminator = MessageScanner.Terminator.nul
    /// The last message ended with a line feed; a NUL right behind it belongs to it.
    private var lastEndedWithLineFeed = false
    private var isServing = false
    private var isReading = false
    private var needsFlush = false
    private var readWasHeld = false
    private var inputHasEnded = false
    private var isClosing = false
    /// Kept between replies, so that most are written without an allocation of their own.
    private var scratch: [UInt8] = []

    init(service: any VarlinkService, standard: StandardInterface, limits: VarlinkLimits, peer: VarlinkPeer) {
        self.service = service
        self.standard = standard
        self.limits = limits
        self.peer = peer
    }

    // MARK: The connection

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        service.connectionOpened(peer)
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosing = true
        self.context = nil
        waiting.removeAll()
        let gone = current
        current = nil
        gone?.clientGone()
        service.connectionClosed(peer)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A reset, or a write to a client that went: the connection is of no use to anybody.
        close()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            inputHasEnded = true
            closeIfDone()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        // The high-water mark is the limit of what may wait unread.
        if !context.channel.isWritable { close() }
        context.fireChannelWritabilityChanged()
    }

    private func close() {
        guard !isClosing, let context else { return }
        isClosing = true
        context.close(promise: nil)
    }

    /// Closes once all that was written has been sent.
    private func closeAfterFlush() {
        guard !isClosing, let context else { return }
        isClosing = true
        waiting.removeAll()
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(capacity: 0))).whenComplete { [loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)] _ in
            loopBound.value.close(promise: nil)
        }
    }

    private func closeIfDone() {
        if inputHasEnded, current == nil, waiting.isEmpty { closeAfterFlush() }
    }

    // MARK: Reading

    func read(context: ChannelHandlerContext) {
        if waiting.count >= limits.pipelinedCalls { readWasHeld = true } else { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing else { return }
        isReading = true
        buffer.writeImmutableBuffer(unwrapInboundIn(data))
        takeMessages()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        if needsFlush {
            needsFlush = false
            context.flush()
        }
        context.fireChannelReadComplete()
    }

    private func takeMessages() {
        while !isClosing, waiting.count < limits.pipelinedCalls {
            guard let message = buffer.withUnsafeReadableBytes({ scanner.next(in: $0) }) else {
                if buffer.readableBytes > limits.message { refuseAndClose() }
                break
            }
            take(message)
            buffer.moveReaderIndex(forwardBy: message.consumed)
        }
        if buffer.readableBytes == 0 { buffer.clear() }
        serve()
    }

    private func take(_ message: MessageScanner.Message) {
        if message.length == 0, message.terminator == .nul, lastEndedWithLineFeed {
            // `}` LF and, later, NUL: the line feed was white space after all. Whoever waits for a NUL gets it.
            lastEndedWithLineFeed = false
            terminator = .nul
            for index in waiting.indices { waiting[index].terminator = .nul }
            if current == nil, waiting.isEmpty { write(written: nil) { _ in } }
            return
        }
        lastEndedWithLineFeed = message.terminator == .lineFeed
        guard message.length <= limits.message else { return refuseAndClose() }
        let parsed = buffer.withUnsafeReadableBytes { bytes -> JSONObject? in
            let json = try? JSON(parsing: UnsafeRawBufferPointer(rebasing: bytes[..<message.length]))
            return json?.objectValue
        }
        guard let parsed else {
            terminator = message.terminator
            return refuseAndClose()
        }
        let call: Result<VarlinkCall, VarlinkError>
        do throws(VarlinkError) { call = .success(try VarlinkCall(message: parsed)) } catch { call = .failure(error) }
        waiting.append(Waiting(call: call, terminator: message.terminator))
    }

    /// What is no call at all: told, behind the answers that are due before it, and the connection ends.
    private func refuseAndClose() {
        guard current == nil, waiting.isEmpty else {
            // The calls before it are still answered; nothing more is read.
            inputHasEnded = true
            buffer.clear()
            waiting.append(Waiting(call: .failure(Self.noMessage), terminator: terminator))
            return
        }
        write(written: nil) { Self.errorMessage(Self.noMessage, into: &$0) }
        closeAfterFlush()
    }

    private static let noMessage = VarlinkError.invalidParameter("message")

    private static func errorMessage(_ error: VarlinkError, into bytes: inout [UInt8]) {
        JSON.object(["error": .string(error.name), "parameters": .object(error.parameters)]).serialize(into: &bytes)
    }

    // MARK: Serving

    /// Hands over the next calls, until one takes its time.
    private func serve() {
        // A service that answers at once comes back here through `answered`; the loop goes on instead of nesting.
        guard !isServing else { return }
        isServing = true
        while current == nil, !isClosing, let next = waiting.popFirst() {
            terminator = next.terminator
            switch next.call {
            case .failure(let error): write(written: nil) { Self.errorMessage(error, into: &$0) }
            case .success(let call): hand(over: call)
            }
        }
        isServing = false
        closeIfDone()
    }

    private func hand(over call: VarlinkCall) {
        guard let context else { return }
        let handle = VarlinkReplyHandle(connection: self, call: call, eventLoop: context.eventLoop)
        current = handle
        let interface = call.interface
        if interface == StandardInterface.name {
            standard.answer(call, handle)
        } else if standard.hasInterface(interface) {
            service.handle(call, from: peer, reply: handle)
        } else {
            handle.fail(.interfaceNotFound(interface))
        }
    }

    /// The current call has its final reply.
    func answered() {
        current = nil
        guard !isServing else { return }
        serve()
        // Room again: what is in the buffer first, then what the kernel holds.
        takeMessages()
        if readWasHeld, waiting.count < limits.pipelinedCalls, let context {
            readWasHeld = false
            context.read()
        }
    }

    // MARK: Writing

    /// Writes what the body appends, with the end that the call had.
    func write(written: (@Sendable () -> Void)?, _ body: (inout [UInt8]) -> Void) {
        guard let context, !isClosing else { return }
        scratch.removeAll(keepingCapacity: true)
        body(&scratch)
        scratch.append(terminator.rawValue)
        let bytes = context.channel.allocator.buffer(bytes: scratch)
        if scratch.capacity > 65_536 { scratch = [] }
        if let written {
            let promise = context.eventLoop.makePromise(of: Void.self)
            promise.futureResult.whenSuccess { written() }
            context.write(wrapOutboundOut(bytes), promise: promise)
        } else {
            context.write(wrapOutboundOut(bytes), promise: nil)
        }
        if isReading { needsFlush = true } else { context.flush() }
    }
}
