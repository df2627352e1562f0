import Glibc

/// One HTTP/1.1 request to a loopback address, on its own connection. It suffices to check the daemon's listener and to
/// act as the browser in the demo; neither needs TLS or name resolution.
struct LoopbackRequest {
    var method = "GET"
    var address: WebAddress
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    struct Failure: Error, CustomStringConvertible {
        var description: String
        /// The connection was accepted, and closed without a byte of a response.
        var isUnanswered = false
        /// This machine does not have the address, for example ::1 if IPv6 is disabled.
        var isAbsent = false
    }

    /// Larger than any page that is requested here.
    static let responseLimit = 256 * 1024

    func send(timeout milliseconds: Int64 = 10_000) throws -> LoopbackResponse {
        guard address.scheme == "http" else { throw Failure(description: "\(address.origin) is not plain http") }
        let deadline = Deadline(milliseconds: milliseconds)
        let descriptor = try LoopbackSocket.connect(host: address.host, port: address.port, deadline: deadline)
        defer { close(descriptor) }
        try write(message, to: descriptor, deadline: deadline)
        return try LoopbackResponse(parsing: readAll(from: descriptor, deadline: deadline))
    }

    private var message: [UInt8] {
        var text = "\(method) \(address.target) HTTP/1.1\r\nHost: \(address.authority)\r\nConnection: close\r\n"
        for header in headers { text += "\(header.name): \(header.value)\r\n" }
        if method == "POST" { text += "Content-Length: \(body.count)\r\n" }
        return Array((text + "\r\n").utf8) + body
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32, deadline: Deadline) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {
                guard deadline.wait(for: Int(POLLOUT), on: [descriptor])[0] else { throw timedOut }
            } else if errno != EINTR {
                throw failure(afterBytes: 0)
            }
        }
    }

    private func readAll(from descriptor: Int32, deadline: Deadline) throws -> [UInt8] {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count > 0 {
                all += bytes[..<count]
                guard all.count <= Self.responseLimit else { throw Failure(description: "\(address.origin) answered with too much data") }
            } else if count == 0 {
                guard !all.isEmpty else { throw closed }
                return all
            } else if errno == EAGAIN {
                guard deadline.wait(for: Int(POLLIN), on: [descriptor])[0] else { throw timedOut }
            } else if errno != EINTR {
                throw failure(afterBytes: all.count)
            }
        }
    }

    private func failure(afterBytes count: Int) -> Failure {
        let isReset = errno == ECONNRESET || errno == EPIPE
        return count == 0 && isReset ? closed : Failure(description: "\(address.origin): \(String(cString: strerror(errno)))")
    }

    private var closed: Failure { Failure(description: "\(address.origin) closed the connection without an answer", isUnanswered: true) }

    private var timedOut: Failure { Failure(description: "\(address.origin) did not answer in time") }
}
