/// A complete response.
struct LoopbackResponse {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: [UInt8]

    init(parsing bytes: [UInt8]) throws {
        guard let end = Self.endOfHead(in: bytes) else { throw LoopbackRequest.Failure(description: "the answer is not HTTP") }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).parts { $0 == "\r" || $0 == "\n" }
        let statusLine = lines.first?.parts(separator: " ") ?? []
        guard statusLine.count >= 2, statusLine[0].begins(with: "HTTP/1."), let status = Int(statusLine[1]) else {
            throw LoopbackRequest.Failure(description: "the answer is not HTTP")
        }
        self.status = status
        headers = lines.dropFirst().compactMap { line in
            guard let colon = line.unicodeScalars.firstIndex(of: ":") else { return nil }
            let value = line.after(colon).skipping { $0 == " " || $0 == "\t" }
            return (line[..<colon].lowercased(), String(value))
        }
        body = Array(bytes[(end + 4)...])
        if header("transfer-encoding")?.lowercased() == "chunked" { body = try Self.joinChunks(body) }
    }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The offset of the empty line.
    private static func endOfHead(in bytes: [UInt8]) -> Int? {
        let mark: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        guard bytes.count >= mark.count else { return nil }
        return (0...(bytes.count - mark.count)).first { bytes[$0..<($0 + mark.count)].elementsEqual(mark) }
    }

    /// RFC 9112 section 7.1.
    private static func joinChunks(_ bytes: [UInt8]) throws -> [UInt8] {
        var body: [UInt8] = []
        var rest = bytes[...]
        while let lineEnd = rest.firstIndex(of: 0x0D) {
            let sizeText = String(decoding: rest[..<lineEnd].prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
            guard let size = Int(sizeText, radix: 16), size >= 0, size <= rest.count else { break }
            if size == 0 { return body }
            rest = rest[lineEnd...].dropFirst(2)
            guard rest.count >= size + 2 else { break }
            body += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
        throw LoopbackRequest.Failure(description: "the answer is incomplete")
    }
}
