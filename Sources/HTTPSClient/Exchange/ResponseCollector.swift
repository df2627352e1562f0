import NIOCore
import NIOHTTP1
import PosternCore

/// Assembles an answer from its parts, and stops if it exceeds the limit or is invalid.
struct ResponseCollector {
    let maximumBodyBytes: Int
    private var response: ProviderResponse?

    init(maximumBodyBytes: Int) { self.maximumBodyBytes = maximumBodyBytes }

    mutating func receive(_ head: HTTPResponseHead) throws(ExchangeFailure) {
        // Nothing requested an upgrade, and what follows one is not HTTP.
        guard head.status.code >= 200, response == nil else {
            throw ExchangeFailure(.malformedResponse, "answered with the unexpected status \(head.status.code)")
        }
        // The parser assumes that a message with an unknown coding ends with the connection; its body could not be decoded.
        let codings = head.headers[canonicalForm: "transfer-encoding"].filter { $0.lowercased() != "chunked" }
        let encodings = head.headers[canonicalForm: "content-encoding"].filter { $0.lowercased() != "identity" && !$0.isEmpty }
        guard codings.isEmpty, encodings.isEmpty else {
            throw ExchangeFailure(.malformedResponse, "answered in a coding that was not requested")
        }
        if let length = head.headers.first(name: "content-length").flatMap({ Int($0) }), length > maximumBodyBytes { throw tooLarge }
        response = ProviderResponse(status: Int(head.status.code), headers: head.headers.map { ($0.name, Self.trimmed($0.value)) })
    }

    mutating func receive(_ body: ByteBuffer) throws(ExchangeFailure) {
        guard let count = response?.body.count else { throw ExchangeFailure(.malformedResponse, "answered with a body alone") }
        guard body.readableBytes <= maximumBodyBytes - count else { throw tooLarge }
        response?.body.append(contentsOf: body.readableBytesView)
    }

    func end() throws(ExchangeFailure) -> ProviderResponse {
        guard let response else { throw ExchangeFailure(.malformedResponse, "answered with nothing") }
        return response
    }

    /// RFC 9110 section 5.5: white space around a value is not part of it. The parser leaves it at the end.
    private static func trimmed(_ value: String) -> String {
        var bytes = value.utf8[...]
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes.count == value.utf8.count ? value : String(decoding: bytes, as: UTF8.self)
    }

    private var tooLarge: ExchangeFailure {
        ExchangeFailure(.responseTooLarge, "answered with more than \(maximumBodyBytes) bytes")
    }
}
