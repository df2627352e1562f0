import NIOCore
import Varlink

extension ConnectionHandler {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard phase == .serving else { return }
        var bytes = unwrapInboundIn(data)
        isInReadBurst = true
        if input.readableBytes == 0 { input = bytes } else { input.writeBuffer(&bytes) }
        pump()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isInReadBurst = false
        flushOutput()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .inputClosed? = event as? ChannelEvent else { return context.fireUserInboundEventTriggered(event) }
        switch phase {
        case .serving:
            phase = .draining
            pump()
        case .ending: close()
        case .draining, .closed: break
        }
    }

    /// Back-pressure: while enough waits here, what comes stays in the socket, and at last in the client.
    func read(context: ChannelHandlerContext) {
        if holdsReading { hasHeldRead = true } else { context.read() }
    }

    func resumeReading() {
        guard hasHeldRead, !holdsReading else { return }
        hasHeldRead = false
        context?.read()
    }

    private var holdsReading: Bool {
        guard phase == .serving else { return false }
        let limits = listener.limits
        return resumption != nil
            || waiting.count + (current == nil ? 0 : 1) >= limits.unansweredCalls
            // Room for one message that is still coming, and for one that waits.
            || input.readableBytes > 2 * limits.messageBytes
    }

    // MARK: - Messages

    /// The next call in turn.
    func nextWaitingCall() -> WaitingCall? {
        if !waiting.isEmpty {
            let call = waiting.removeFirst()
            waitingBytes -= call.consumed
            return call
        }
        return scan()
    }

    /// Finds the calls that have come while another is carried out: a client's limit is counted in calls.
    func lookAhead() {
        while waiting.count + 1 < listener.limits.unansweredCalls, let call = scan() {
            waiting.append(call)
            waitingBytes += call.consumed
        }
    }

    private func scan() -> WaitingCall? {
        while !isOverlong {
            let event = input.withUnsafeReadableBytes { scanner.next(in: UnsafeRawBufferPointer(rebasing: $0[waitingBytes...])) }
            switch event {
            case .message(let length, let consumed, let ending):
                return WaitingCall(length: length, consumed: consumed, ending: ending)
            case .whiteSpace(let consumed): drop(consumed)
            case .lateNUL(let consumed):
                drop(consumed)
                amendEnding()
            case .tooLong: isOverlong = true
            case .needsMoreBytes: return nil
            }
        }
        return nil
    }

    /// Drops bytes between messages. Behind calls that wait they are counted to the last of them.
    private func drop(_ count: Int) {
        if waiting.isEmpty {
            input.moveReaderIndex(forwardBy: count)
        } else {
            waiting[waiting.count - 1].consumed += count
            waitingBytes += count
        }
    }

    /// The client ends its messages with NUL after all, as the last one shows.
    private func amendEnding() {
        if !waiting.isEmpty {
            waiting[waiting.count - 1].ending = .nul
        } else if current != nil {
            current?.ending = .nul
        } else if mayOweNUL {
            output.writeInteger(MessageEnding.nul.rawValue)
        }
        mayOweNUL = false
    }

    /// Whatever stands after the last ending when the client has sent its last byte.
    func lastMessage() -> WaitingCall? {
        let rest = input.readableBytesView
        guard rest.contains(where: { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }) else { return nil }
        return WaitingCall(length: rest.count, consumed: rest.count, ending: scanner.expectsNUL ? .nul : .newline)
    }
}
