import NIOCore
import NIOHTTP1
import PosternValues

extension ServerResponse {
    /// The answer as bytes (RFC 9112 section 4). Nil if a header would break out of its line: a mistake of the responder that must not be
    /// sent.
    ///
    /// - Parameters:
    ///   - isHead: the request was `HEAD`, so the body is left out but its length is given.
    func serialized(
        commonHeaders: [(name: String, value: String)], isHead: Bool, closes: Bool, allocator: ByteBufferAllocator
    ) -> ByteBuffer? {
        let mayHaveBody = status >= 200 && status != 204 && status != 304
        var all = headers
        all += commonHeaders.filter { header($0.name) == nil }
        if mayHaveBody { all.append(("Content-Length", String(body.count))) }
        if closes { all.append(("Connection", "close")) }
        guard all.allSatisfy({ Self.isSafe(name: $0.name, value: $0.value) }) else { return nil }

        var bytes = allocator.buffer(capacity: 1024 + body.count)
        bytes.writeString("HTTP/1.1 \(status) \(HTTPResponseStatus(statusCode: status).reasonPhrase)\r\n")
        for (name, value) in all { bytes.writeString("\(name): \(value)\r\n") }
        bytes.writeString("\r\n")
        if mayHaveBody, !isHead { bytes.writeBytes(body) }
        return bytes
    }

    static func isSafe(name: String, value: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(\.isTokenCharacter)
            && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == UInt8(ascii: "\t") }
    }
}
