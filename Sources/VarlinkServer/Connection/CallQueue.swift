import Varlink

/// What a client has sent: calls in order, and the bytes after them. Only bytes are kept for waiting calls.
struct CallQueue {
    /// A complete call: how many bytes it has, with its ending and without.
    struct WaitingCall {
        var length: Int
        var consumed: Int
        var ending: MessageEnding
    }

    enum Found {
        case call(WaitingCall)
        /// This NUL belongs to the message before it, which waits no longer.
        case lateNUL
    }

    private var input = InputBuffer()
    private var scanner: MessageScanner
    private var waiting: [WaitingCall] = []
    private var waitingBytes = 0
    /// The next message is longer than the limit; anything after it cannot be found.
    private(set) var isOverlong = false

    init(messageBytes: Int) { scanner = MessageScanner(limit: messageBytes) }

    /// Bytes that were not processed yet.
    var bytes: Int { input.count }
    /// Calls that were found ahead of their turn.
    var calls: Int { waiting.count }
    var hasWaitingCalls: Bool { !waiting.isEmpty }

    /// How the answer to a message without an end has to end; nil if it is unknown.
    var expectedEnding: MessageEnding? { scanner.expectsNUL ? .nul : nil }

    mutating func append(_ bytes: UnsafeRawBufferPointer) { input.append(bytes) }

    /// Copies what is left of the bytes that were appended last.
    mutating func keep() { input.keep() }

    mutating func removeAll() {
        input = InputBuffer()
        waiting = []
        waitingBytes = 0
    }

    /// The next call, in order; nil if none is complete.
    mutating func next() -> Found? {
        guard waiting.isEmpty else {
            let call = waiting.removeFirst()
            waitingBytes -= call.consumed
            return .call(call)
        }
        return scan()
    }

    /// Finds calls that arrived while another is carried out, up to so many: a client's limit is counted in calls.
    ///
    /// - Returns: a late NUL belongs to the call under way.
    mutating func lookAhead(upTo limit: Int) -> Bool {
        while waiting.count < limit {
            switch scan() {
            case .call(let call):
                waiting.append(call)
                waitingBytes += call.consumed
            case .lateNUL: return true
            case nil: return false
            }
        }
        return false
    }

    /// Passes on the bytes of a call that was returned by ``next()``, and drops them.
    mutating func take<Result>(_ call: WaitingCall, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let result = input.withBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<call.length])) }
        input.drop(call.consumed)
        return result
    }

    private mutating func scan() -> Found? {
        // Most calls arrive alone, with nothing after them.
        while input.count > waitingBytes, !isOverlong {
            let event = input.withBytes { scanner.next(in: UnsafeRawBufferPointer(rebasing: $0[waitingBytes...])) }
            switch event {
            case .message(let length, let consumed, let ending):
                return .call(WaitingCall(length: length, consumed: consumed, ending: ending))
            case .whiteSpace(let consumed): drop(consumed)
            case .lateNUL(let consumed):
                drop(consumed)
                guard !waiting.isEmpty else { return .lateNUL }
                waiting[waiting.count - 1].ending = .nul
            case .tooLong: isOverlong = true
            case .needsMoreBytes: return nil
            }
        }
        return nil
    }

    /// Drops bytes between messages. If calls wait before them, they count as part of the last one.
    private mutating func drop(_ count: Int) {
        if waiting.isEmpty {
            input.drop(count)
        } else {
            waiting[waiting.count - 1].consumed += count
            waitingBytes += count
        }
    }

    /// What follows the last ending when the client has sent its last byte.
    var lastMessage: WaitingCall? {
        guard input.withBytes({ $0.contains { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 } }) else { return nil }
        return WaitingCall(length: input.count, consumed: input.count, ending: scanner.expectsNUL ? .nul : .newline)
    }
}
