import Glibc
import Reactor
import Varlink

extension ConnectionHandler {
    /// Reads once.
    ///
    /// - Returns: whether anything arrived.
    @discardableResult
    func receive() -> Bool {
        let buffer = listener.received
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 {
            let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            if phase == .serving {
                input.append(UnsafeRawBufferPointer(bytes))
                pump()
                input.keep()
            }
            // The memory is used for other connections next, and this may contain a secret.
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            return true
        }
        if count == 0 {
            inputEnded()
        } else if errno != EAGAIN && errno != EINTR {
            // The kernel reports a reset once everything before it has been read.
            hangUp()
            inputEnded()
        }
        return false
    }

    /// Ends a broken connection without an error: the peer's errors are not ours. The loop reports its end in a coming turn.
    func hangUp() { shutdown(descriptor, CInt(SHUT_RDWR)) }

    private func inputEnded() {
        inputHasEnded = true
        switch phase {
        case .serving:
            phase = .draining
            pump()
        case .ending: close()
        case .draining, .departed, .closed: break
        }
    }

    /// Back-pressure: while enough waits here, new bytes stay in the socket, and finally in the client.
    var holdsReading: Bool {
        guard phase == .serving else { return false }
        let limits = listener.limits
        return resumption != nil
            || waiting.count + (current == nil ? 0 : 1) >= limits.unansweredCalls
            // Room for one incomplete message, and for one that waits.
            || input.count > 2 * limits.messageBytes
    }

    // MARK: - Messages

    /// The next call, in order.
    func nextWaitingCall() -> WaitingCall? {
        if !waiting.isEmpty {
            let call = waiting.removeFirst()
            waitingBytes -= call.consumed
            return call
        }
        return scan()
    }

    /// Finds calls that arrived while another is carried out: a client's limit is counted in calls.
    func lookAhead() {
        while waiting.count + 1 < listener.limits.unansweredCalls, let call = scan() {
            waiting.append(call)
            waitingBytes += call.consumed
        }
    }

    private func scan() -> WaitingCall? {
        // Most calls arrive alone, with nothing after them.
        while input.count > waitingBytes, !isOverlong {
            let event = input.withBytes { scanner.next(in: UnsafeRawBufferPointer(rebasing: $0[waitingBytes...])) }
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

    /// Drops bytes between messages. If calls wait before them, they count as part of the last one.
    private func drop(_ count: Int) {
        if waiting.isEmpty {
            input.drop(count)
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
            write(MessageEnding.nul)
        }
        mayOweNUL = false
    }

    /// What follows the last ending when the client has sent its last byte.
    func lastMessage() -> WaitingCall? {
        guard input.withBytes({ $0.contains { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 } }) else { return nil }
        return WaitingCall(length: input.count, consumed: input.count, ending: scanner.expectsNUL ? .nul : .newline)
    }
}
