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
                queue.append(UnsafeRawBufferPointer(bytes))
                pump()
                queue.keep()
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

    private func inputEnded() { perform(machine.inputEnded()) }

    var holdsReading: Bool { machine.holdsReading(calls: queue.calls, bytes: queue.bytes, limits: listener.limits) }

    // MARK: - Messages

    /// The next call, in order.
    func nextCall() -> CallQueue.WaitingCall? {
        while true {
            switch queue.next() {
            case .call(let call): return call
            case .lateNUL: lateNULFound()
            case nil: return nil
            }
        }
    }

    func lookAhead() { while queue.lookAhead(upTo: listener.limits.unansweredCalls - 1) { lateNULFound() } }

    private func lateNULFound() {
        if machine.lateNULFound() { write(MessageEnding.nul) }
    }
}
