import NIOCore
import NIOHTTP1
import PosternValues

extension ServerResponse {
    /// The answer as bytes; 500 if a header would break out of its line: a mistake of the responder that must not be sent.
    ///
    /// - Parameters:
    ///   - isHead: the request was `HEAD`, so the body is left out but its length is given.
    func serialized(
        commonHeaders: [(name: String, value: String)], isHead: Bool, closes: Bool, allocator: ByteBufferAllocator
    ) -> ByteBuffer {
        let mayHaveBody = status >= 200 && status != 204 && status != 304
        let framing = mayHaveBody ? [(name: "Content-Length", value: String(body.count))] : []
        guard var bytes = head(commonHeaders: commonHeaders, framing: framing, closes: closes, allocator: allocator) else {
            return ServerResponse(status: 500).serialized(commonHeaders: [], isHead: isHead, closes: closes, allocator: allocator)
        }
        if mayHaveBody, !isHead { bytes.writeBytes(body) }
        return bytes
    }

    /// The head as bytes (RFC 9112 section 4). Nil if a header would break out of its line.
    ///
    /// - Parameter framing: the headers that say where the body ends.
    func head(
        commonHeaders: [(name: String, value: String)], framing: [(name: String, value: String)], closes: Bool,
        allocator: ByteBufferAllocator
    ) -> ByteBuffer? {
        var all = headers + commonHeaders.filter { header($0.name) == nil } + framing
        if closes { all.append(("Connection", "close")) }
        guard all.allSatisfy({ Self.isSafe(name: $0.name, value: $0.value) }) else { return nil }
        var bytes = allocator.buffer(capacity: 1024 + body.count)
        bytes.writeString("HTTP/1.1 \(status) \(HTTPResponseStatus(statusCode: status).reasonPhrase)\r\n")
        for (name, value) in all { bytes.writeString("\(name): \(value)\r\n") }
        bytes.writeString("\r\n")
        return bytes
    }

    private static func isSafe(name: String, value: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(\.isTokenCharacter)
            && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == UInt8(ascii: "\t") }
    }
}

extension ChannelHandlerContext {
    /// Closes only our side; the handler continues to read for a while. Closing both with unread bytes would send a reset, after which the
    /// client's kernel may discard the answer before the client has read it (RFC 9112 section 9.6).
    func closeOutput() {
        let channel = channel
        close(mode: .output).assumeIsolated().whenFailure { _ in channel.close(promise: nil) }
    }
}
