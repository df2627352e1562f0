import NIOCore

/// Reads the head of a request byte by byte and accepts nothing ambiguous (RFC 9112 sections 2.2, 5.1, 5.2, 6.3 and 11.2). The decoder
/// after it reads the same bytes again; what it alone would tolerate, such as a bare line feed or a folded line, never gets there.
struct RequestHeadScanner {
    private let limits: HTTPLimits
    private var line: [UInt8] = []
    private var lastWasCarriageReturn = false
    private var headerBytes = 0
    private var requestLine: RequestLine?
    private var fields = HeaderFieldRules()
    private var skippedEmptyLine = false

    /// Bytes consumed so far.
    private(set) var consumed = 0
    var isPristine: Bool { consumed == 0 }

    init(limits: HTTPLimits) { self.limits = limits }

    /// Consumes the next byte; returns the framing with the last one of the head.
    private mutating func consume(_ byte: UInt8) throws(RequestFault) -> RequestFraming? {
        consumed += 1
        if requestLine != nil {
            headerBytes += 1
            guard headerBytes <= limits.headerBytes else { throw .headersTooLarge }
        }
        if lastWasCarriageReturn {
            guard byte == UInt8(ascii: "\n") else { throw .malformed("a carriage return stands without a line feed") }
            lastWasCarriageReturn = false
            defer { line.removeAll(keepingCapacity: true) }
            return try lineEnded()
        }
        switch byte {
        case UInt8(ascii: "\r"):
            lastWasCarriageReturn = true
        case UInt8(ascii: "\n"):
            throw .malformed("a line feed stands without a carriage return")
        case let byte where isAllowed(byte):
            guard requestLine != nil || line.count < limits.requestLineBytes else { throw .requestLineTooLong }
            line.append(byte)
        default:
            throw .malformed(requestLine == nil ? "the request line holds an impossible byte" : "a header holds a control character")
        }
        return nil
    }

    /// Continues where the last bytes ended.
    ///
    /// - Parameter bytes: all that have arrived of the head, and perhaps more.
    /// - Returns: nil until it is complete; then its length and what it says.
    mutating func consume(_ bytes: ByteBufferView) throws(RequestFault) -> (length: Int, framing: RequestFraming)? {
        for byte in bytes.dropFirst(consumed) { if let framing = try consume(byte) { return (consumed, framing) } }
        return nil
    }

    /// The request line is ASCII; header values may contain tabs and non-ASCII bytes (RFC 9110 section 5.5).
    private func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20...0x7e: true
        case UInt8(ascii: "\t"), 0x80...: requestLine != nil
        default: false
        }
    }

    private mutating func lineEnded() throws(RequestFault) -> RequestFraming? {
        guard let requestLine else {
            // RFC 9112 section 2.2: one empty line before a request is ignored.
            if line.isEmpty, !skippedEmptyLine {
                skippedEmptyLine = true
            } else {
                self.requestLine = try RequestLine(line)
            }
            return nil
        }
        guard line.isEmpty else {
            guard fields.count < limits.headerFields else { throw .headersTooLarge }
            try fields.add(line)
            return nil
        }
        let framing = try fields.framing(after: requestLine)
        if case .length(let length) = framing.body, length > limits.bodyBytes { throw .bodyTooLarge }
        return framing
    }
}

/// Where a request ends and what becomes of its connection, according to its head.
struct RequestFraming: Sendable, Hashable {
    var body = RequestHead.Body.none
    /// The connection may serve another request. Never after a chunked one, whose end only the decoder knows: what follows it would be
    /// passed on unchecked; nor after one that asks for another protocol.
    var keepsConnection = false
    /// HTTP/1.0: it knows no chunks, and no 100.
    var isOld = false
    /// The client wants no other request on this connection, or speaks HTTP/1.0.
    var asksToClose = false
    /// `Expect: 100-continue` (RFC 9110 section 10.1.1).
    var awaitsContinue = false
    /// The authority of a target in absolute form (RFC 9112 section 3.2.2).
    var targetAuthority: String?
    /// The target in origin form.
    var target = ""
}
