import NIOCore
import NIOHTTP1

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

    /// The head of the answer. Nil if a header would break out of its line.
    func head(
        status: Int, headers: [(name: String, value: String)], length: Int?, isHead: Bool, allocator: ByteBufferAllocator
    ) -> ByteBuffer? {
        var all = headers
        switch form {
        case .none: if isHead, let length { all.append(("Content-Length", String(length))) }
        case .length(let length): all.append(("Content-Length", String(length)))
        case .chunked: all.append(("Transfer-Encoding", "chunked"))
        case .untilClose: break
        }
        if closes { all.append(("Connection", "close")) }
        guard (200...999).contains(status), all.allSatisfy({ ServerResponse.isSafe(name: $0.name, value: $0.value) }) else { return nil }
        var bytes = allocator.buffer(capacity: 1024)
        bytes.writeString("HTTP/1.1 \(status) \(HTTPResponseStatus(statusCode: status).reasonPhrase)\r\n")
        for (name, value) in all { bytes.writeString("\(name): \(value)\r\n") }
        bytes.writeString("\r\n")
        return bytes
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
