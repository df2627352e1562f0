import NIOCore

/// What a client sends on one connection: the heads of requests, and the parts of their bodies.
struct RequestInput {
    enum Step {
        case head(RequestHead, RequestFraming)
        case part(ByteBuffer)
        /// Of the body. Comes for a request that has one.
        case end
        case needsMore
    }

    enum Phase {
        case head
        case body
        /// The whole request was read; what follows waits until it is answered. Next: `head`, `discarding`.
        case complete
        /// Nothing more is looked at.
        case discarding
    }

    private enum State {
        case head(RequestHeadScanner)
        case body(RequestBodyReader)
        case complete
        case discarding
    }

    private let limits: HTTPLimits
    private var state: State
    /// Received, but not looked at yet.
    private var waiting = ByteBuffer()

    init(limits: HTTPLimits) {
        self.limits = limits
        state = .head(RequestHeadScanner(limits: limits))
    }

    var phase: Phase {
        switch state {
        case .head: .head
        case .body: .body
        case .complete: .complete
        case .discarding: .discarding
        }
    }

    /// Nothing of the next head has been looked at.
    var isPristine: Bool { if case .head(let scanner) = state { scanner.isPristine } else { false } }
    var waitingBytes: Int { waiting.readableBytes }
    /// Nothing of the next request has been received.
    var isIdle: Bool { isPristine && waitingBytes == 0 }

    /// Bytes were received, and wait until the request before them is answered.
    var hasUnreadBytes: Bool {
        switch state {
        case .head(let scanner): waiting.readableBytes > scanner.consumed
        case .complete: waiting.readableBytes > 0
        case .body, .discarding: false
        }
    }

    mutating func receive(_ bytes: ByteBuffer) {
        if case .discarding = state { return }
        var bytes = bytes
        if waiting.readableBytes == 0 { waiting = bytes } else { waiting.writeBuffer(&bytes) }
    }

    /// The request was answered; the next one may follow.
    mutating func expectHead() { state = .head(RequestHeadScanner(limits: limits)) }

    mutating func discard() {
        state = .discarding
        waiting.clear()
    }

    /// Looks at what has arrived. After an error, nothing more is.
    mutating func next() throws(RequestFault) -> Step {
        switch state {
        case .head(var scanner):
            state = .discarding  // Releases the scanner, so that it is not copied.
            guard let (length, framing) = try scanner.consume(waiting.readableBytesView), let bytes = waiting.readSlice(length: length)
            else {
                state = .head(scanner)
                return .needsMore
            }
            state = framing.body == .none ? .complete : .body(RequestBodyReader(framing.body, limits: limits))
            return .head(RequestHead(checked: bytes.readableBytesView, framing: framing), framing)
        case .body(var reader):
            state = .discarding
            let step = try reader.next(from: &waiting)
            state = step == .end ? .complete : .body(reader)
            return
                switch step
            {
            case .part(let part): .part(part)
            case .end: .end
            case .needsMore: .needsMore
            }
        case .complete, .discarding: return .needsMore
        }
    }
}
