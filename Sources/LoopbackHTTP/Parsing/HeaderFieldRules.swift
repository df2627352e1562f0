import PosternValues

/// What the header lines of one request say about where it ends, collected line by line.
struct HeaderFieldRules {
    private(set) var count = 0
    private var contentLength: Int?
    private var isChunked = false
    private var host: String?
    private var connectionOptions: Set<String> = []
    private var expectation: String?
    private var asksForUpgrade = false

    /// - Parameter line: without its line end, and without control characters other than tabs.
    mutating func add(_ line: [UInt8]) throws(RequestFault) {
        count += 1
        guard let first = line.first, first != UInt8(ascii: " "), first != UInt8(ascii: "\t") else {
            throw .malformed("a header is folded over two lines")
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { throw .malformed("a header has no name") }
        // RFC 9112 section 5.1: proxies and servers have treated white space before the colon differently.
        guard line[..<colon].allSatisfy(\.isTokenCharacter) else { throw .malformed("a header's name is not a token") }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        let value = Self.trimmed(line[(colon + 1)...])
        switch name {
        case "content-length": try addContentLength(value)
        case "transfer-encoding": try addTransferEncoding(value)
        case "host":
            guard host == nil else { throw .malformed("there are two Host headers") }
            host = String(decoding: value, as: UTF8.self)
        case "connection":
            for option in value.split(separator: UInt8(ascii: ",")) {
                connectionOptions.insert(String(decoding: Self.trimmed(option), as: UTF8.self).lowercased())
            }
        case "expect": expectation = String(decoding: value, as: UTF8.self).lowercased()
        case "upgrade": asksForUpgrade = true
        default: break
        }
    }

    private mutating func addContentLength(_ value: ArraySlice<UInt8>) throws(RequestFault) {
        guard contentLength == nil else { throw .malformed("there are two Content-Length headers") }
        guard !value.isEmpty, value.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
            throw .malformed("Content-Length is not a number")
        }
        // A number too large for us is too large in any case.
        contentLength = Int(String(decoding: value, as: UTF8.self)) ?? .max
    }

    private mutating func addTransferEncoding(_ value: ArraySlice<UInt8>) throws(RequestFault) {
        guard !isChunked else { throw .malformed("there are two Transfer-Encoding headers") }
        guard String(decoding: value, as: UTF8.self).lowercased() == "chunked" else {
            throw .malformed("the only supported transfer coding is chunked")
        }
        isChunked = true
    }

    /// The result once all lines have been read.
    func framing(after requestLine: RequestLine) throws(RequestFault) -> RequestFraming {
        if isChunked {
            // RFC 9112 section 6.1: requests with both are used for smuggling; HTTP/1.0 has no transfer codings.
            guard contentLength == nil else { throw .malformed("Content-Length and Transfer-Encoding are both present") }
            guard requestLine.minorVersion == 1 else { throw .malformed("HTTP/1.0 has no Transfer-Encoding") }
        }
        guard host != nil || requestLine.minorVersion == 0 else { throw .malformed("the Host header is missing") }
        if let authority = requestLine.authority, let host, authority.lowercased() != host.lowercased() {
            throw .malformed("the target and the Host header name different servers")
        }
        guard expectation == nil || expectation == "100-continue" else { throw .expectationUnknown }

        var framing = RequestFraming()
        framing.body = isChunked ? .chunked : contentLength.map { $0 == 0 ? .none : .length($0) } ?? .none
        framing.isOld = requestLine.minorVersion == 0
        framing.asksToClose = framing.isOld || connectionOptions.contains("close")
        framing.keepsConnection = !framing.asksToClose && !isChunked && !asksForUpgrade
        framing.awaitsContinue = expectation != nil && requestLine.minorVersion == 1 && framing.body != .none
        framing.targetAuthority = requestLine.authority
        framing.target = requestLine.target
        return framing
    }

    static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) }) else {
            return bytes.prefix(0)
        }
        return bytes[first...last]
    }
}
