import Glibc
import StrictJSON
import Testing

/// An answer as it came over the wire.
struct Answer {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: [UInt8]

    func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
    var text: String { String(decoding: body, as: UTF8.self) }

    var json: JSONObject {
        get throws { try #require(try JSON(parsing: body).objectValue) }
    }

    /// The query of the address that the browser is sent to.
    var redirect: [String: String] {
        get throws {
            let location = try #require(header("Location"))
            let query = location.split(separator: "?", maxSplits: 1).last ?? ""
            return Dictionary(
                query.split(separator: "&").map { pair in
                    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    return (String(parts[0]), parts.count > 1 ? percentDecoded(parts[1]) : "")
                }, uniquingKeysWith: { $1 })
        }
    }
}

func percentDecoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
            bytes.append(value)
            rest.removeFirst(2)
        } else {
            bytes.append(byte)
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}

func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte in
        let scalar = Unicode.Scalar(byte)
        let isPlain =
            scalar.isASCII
            && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "-._~".unicodeScalars.contains(scalar))
        return isPlain ? String(scalar) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
}

func form(_ pairs: [(String, String)]) -> String { pairs.map { "\(percentEncoded($0))=\(percentEncoded($1))" }.joined(separator: "&") }

/// One request on its own connection, by plain sockets: nothing stands between the test and the bytes.
enum HTTPExchange {
    struct Failure: Error {
        var operation: String
        var code: Int32
    }

    static func send(
        _ method: String, _ target: String, port: Int, host: String? = nil, headers: [(String, String)] = [], body: String? = nil
    ) throws -> Answer {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")", "Connection: close"]
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        if body != nil, !headers.contains(where: { $0.0 == "Content-Type" }) {
            lines.append("Content-Type: application/x-www-form-urlencoded")
        }
        for (name, value) in headers where !value.isEmpty { lines.append("\(name): \(value)") }
        return try parse(exchange(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")).utf8), port: port))
    }

    private static func exchange(_ request: [UInt8], port: Int) throws -> [UInt8] {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(operation: "socket", code: errno) }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard connected == 0 else { throw Failure(operation: "connect", code: errno) }
        var rest = request[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Failure(operation: "send", code: errno) }
            rest.removeFirst(count)
        }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = recv(descriptor, &chunk, chunk.count, 0), count > 0 { answer.append(contentsOf: chunk[..<count]) }
        return answer
    }

    private static func parse(_ bytes: [UInt8]) throws -> Answer {
        let text = String(decoding: bytes, as: UTF8.self)
        let end = try #require(text.firstRange(of: "\r\n\r\n"))
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        let status = try #require(lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        let headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (name: String(parts[0]), value: String(parts.last?.drop { $0 == " " } ?? ""))
        }
        return Answer(status: status, headers: headers, body: Array(text[end.upperBound...].utf8))
    }
}
