import NIOCore

/// How the body of one answer is framed (RFC 9112 sections 6 and 7).
struct AnswerFraming {
    private enum Form {
        /// `HEAD`, 204 and 304 have no body, whatever the server says.
        case none
        case length(remaining: Int)
        case chunked
        /// HTTP/1.0: until the connection is closed.
        case untilClose
    }

    private var form: Form
    /// The connection ends after this answer.
    let closes: Bool
    /// The body ends with the connection, so that a body that was cut must not look whole.
    var endsWithConnection: Bool { if case .untilClose = form { true } else { false } }

    /// - Parameter length: of the body if it is known.
    init(status: Int, length: Int?, isHead: Bool, isOld: Bool, closes: Bool) {
        if isHead || status < 200 || status == 204 || status == 304 {
            form = .none
        } else if let length {
            form = .length(remaining: length)
        } else {
            form = isOld ? .untilClose : .chunked
        }
        self.closes = closes || isOld
    }

    /// The headers that say where the body ends.
    ///
    /// - Parameter lengthOfHead: of an answer to `HEAD`, if it is known.
    func headers(lengthOfHead: Int?) -> [(name: String, value: String)] {
        switch form {
        case .none: lengthOfHead.map { [("Content-Length", String($0))] } ?? []
        case .length(let length): [("Content-Length", String(length))]
        case .chunked: [("Transfer-Encoding", "chunked")]
        case .untilClose: []
        }
    }

    /// What is written for a part of the body; nil if it is longer than was announced.
    mutating func frame(_ part: ByteBuffer, allocator: ByteBufferAllocator) -> [ByteBuffer]? {
        guard part.readableBytes > 0 else { return [] }
        switch form {
        case .none: return []
        case .untilClose: return [part]
        case .length(let remaining):
            guard part.readableBytes <= remaining else { return nil }
            form = .length(remaining: remaining - part.readableBytes)
            return [part]
        case .chunked:
            var before = allocator.buffer(capacity: 20)
            before.writeString("\(String(part.readableBytes, radix: 16))\r\n")
            return [before, part, ByteBuffer(staticString: "\r\n")]
        }
    }

    /// What is written at the end; nil if something is missing.
    func end() -> [ByteBuffer]? {
        switch form {
        case .none, .untilClose: []
        case .length(let remaining): remaining == 0 ? [] : nil
        case .chunked: [ByteBuffer(staticString: "0\r\n\r\n")]
        }
    }
}
