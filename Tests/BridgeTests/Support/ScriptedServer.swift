import Glibc
import Synchronization
import Testing

/// A web server on loopback that answers each request with the next of its texts, and then closes the connection.
final class ScriptedServer: Sendable {
    struct Request: Sendable {
        /// With its line ends.
        var head: String
        var body: String

        func header(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name.lowercased()): ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }
    }

    let port: Int
    private let listener: CInt
    private let state: Mutex<(answers: [String], requests: [Request])>

    /// - Parameter answers: the last is given again and again; an empty one closes the connection without a word.
    init(_ answers: [String]) throws {
        state = Mutex((answers, []))
        listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 64) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(isBound)
        port = Int(UInt16(bigEndian: address.sin_port))
        inThread { [weak self] in
            // Closed here alone: the next server of a test may get the same number, and this thread would accept its connections.
            defer { close(descriptor) }
            while true {
                let accepted = accept(descriptor, nil, nil)
                guard accepted >= 0 else { return }
                guard let server = self else { return _ = close(accepted) }
                inThread { server.serve(accepted) }
            }
        }
    }

    /// Ends the thread that accepts.
    deinit { shutdown(listener, CInt(SHUT_RDWR)) }

    var requests: [Request] { state.withLock { $0.requests } }
    var url: String { "http://127.0.0.1:\(port)/mcp" }

    private func serve(_ descriptor: CInt) {
        defer { close(descriptor) }
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let request = Self.request(in: received) {
                let answer = state.withLock { state in
                    state.requests.append(request)
                    return state.answers.count > 1 ? state.answers.removeFirst() : state.answers.first ?? ""
                }
                _ = answer.utf8.withContiguousStorageIfAvailable { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
                return
            }
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return }
            received += chunk[..<count]
        }
    }

    /// Nil until it is complete.
    private static func request(in bytes: [UInt8]) -> Request? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        var request = Request(head: String(text[..<end.lowerBound]), body: String(text[end.upperBound...]))
        if request.header("Transfer-Encoding") != nil {
            guard request.body.hasSuffix("0\r\n\r\n") else { return nil }
        } else if let length = request.header("Content-Length").flatMap({ Int($0) }) {
            guard request.body.utf8.count >= length else { return nil }
        }
        request.head += "\r\n"
        return request
    }
}
